"""What a definition is in each language, in the words of its grammar."""

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["LANGUAGES", "Language"]


@dataclass(frozen=True, slots=True)
class Language:
    """A grammar, and which of its nodes define something.

    Attributes
    ----------
    package : str
        Of the grammar.
    suffixes : tuple of str
        Of its files.
    kinds : mapping
        Type of node -> kind of definition.
    containers : frozenset of str
        Kinds of definition that hold others.
    through : frozenset of str
        Types of node that only wrap definitions: an export, a template, a block of the preprocessor.
    function : str
        Name of the function of the package that gives the grammar.
    """

    package: str
    suffixes: tuple[str, ...]
    kinds: Mapping[str, str]
    through: frozenset[str] = frozenset()
    function: str = "language"
    containers: frozenset[str] = field(
        default=frozenset("class interface struct trait impl module namespace enum record".split())
    )


_ECMASCRIPT = {
    "function_declaration": "function", "generator_function_declaration": "function", "class_declaration": "class",
    "method_definition": "method", "lexical_declaration": "function", "variable_declaration": "function",
    "public_field_definition": "method", "field_definition": "method",
}  # fmt: skip
_TYPESCRIPT = _ECMASCRIPT | {
    "abstract_class_declaration": "class", "interface_declaration": "interface", "enum_declaration": "enum",
    "type_alias_declaration": "type", "internal_module": "namespace", "module": "namespace",
    "function_signature": "function", "method_signature": "method", "abstract_method_signature": "method",
}  # fmt: skip
_EXPORTS = frozenset("export_statement ambient_declaration class_body interface_body expression_statement".split())
_PREPROCESSOR = frozenset("preproc_if preproc_ifdef preproc_else preproc_elif declaration_list".split())
_C = {
    "function_definition": "function", "struct_specifier": "struct", "enum_specifier": "enum",
    "union_specifier": "struct", "type_definition": "type", "preproc_function_def": "macro",
}  # fmt: skip

# fmt: off
LANGUAGES = (
    Language("tree_sitter_javascript", (".js", ".jsx", ".mjs", ".cjs"), _ECMASCRIPT, _EXPORTS),
    Language("tree_sitter_typescript", (".ts", ".mts", ".cts"), _TYPESCRIPT, _EXPORTS, "language_typescript"),
    Language("tree_sitter_typescript", (".tsx",), _TYPESCRIPT, _EXPORTS, "language_tsx"),
    Language(
        "tree_sitter_go",
        (".go",),
        {"function_declaration": "function", "method_declaration": "method", "type_declaration": "type"},
    ),
    Language(
        "tree_sitter_rust",
        (".rs",),
        {
            "function_item": "function",
            "struct_item": "struct",
            "enum_item": "enum",
            "union_item": "struct",
            "trait_item": "trait",
            "impl_item": "impl",
            "mod_item": "module",
            "macro_definition": "macro",
            "type_item": "type",
            "function_signature_item": "function",
        },
        frozenset({"declaration_list"}),
    ),
    Language(
        "tree_sitter_java",
        (".java",),
        {
            "class_declaration": "class",
            "interface_declaration": "interface",
            "enum_declaration": "enum",
            "record_declaration": "record",
            "annotation_type_declaration": "interface",
            "method_declaration": "method",
            "constructor_declaration": "method",
        },
        frozenset("class_body interface_body enum_body enum_body_declarations".split()),
    ),
    Language("tree_sitter_c", (".c",), _C, _PREPROCESSOR | {"declaration"}),
    Language(
        "tree_sitter_cpp",
        (".h", ".cc", ".cpp", ".cxx", ".hpp", ".hh", ".hxx"),
        _C
        | {
            "class_specifier": "class",
            "namespace_definition": "namespace",
            "concept_definition": "type",
            "alias_declaration": "type",
        },
        _PREPROCESSOR
        | frozenset("template_declaration linkage_specification field_declaration_list declaration".split()),
    ),
    Language(
        "tree_sitter_c_sharp",
        (".cs",),
        {
            "class_declaration": "class",
            "interface_declaration": "interface",
            "struct_declaration": "struct",
            "enum_declaration": "enum",
            "record_declaration": "record",
            "method_declaration": "method",
            "constructor_declaration": "method",
            "property_declaration": "property",
            "delegate_declaration": "type",
            "namespace_declaration": "namespace",
        },
        frozenset({"declaration_list", "file_scoped_namespace_declaration"}),
    ),
    Language(
        "tree_sitter_ruby",
        (".rb", ".rake"),
        {"class": "class", "module": "module", "method": "method", "singleton_method": "method"},
        frozenset({"body_statement", "singleton_class"}),
    ),
    Language(
        "tree_sitter_php",
        (".php",),
        {
            "function_definition": "function",
            "class_declaration": "class",
            "interface_declaration": "interface",
            "trait_declaration": "trait",
            "enum_declaration": "enum",
            "method_declaration": "method",
            "namespace_definition": "namespace",
        },
        frozenset({"declaration_list", "compound_statement"}),
        "language_php",
    ),
    Language("tree_sitter_bash", (".sh", ".bash"), {"function_definition": "function"}),
)
# fmt: on
