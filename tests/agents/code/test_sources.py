"""Which Python files are read, and as which modules."""

from context_graph.agents.code.sources import read_sources


def test_files_are_the_modules_that_they_are_imported_as(shop):
    sources = read_sources(shop)
    assert {one.path: (one.module, one.import_root) for one in sources.files} == {
        "src/shop/__init__.py": ("shop", "src"),
        "src/shop/cart.py": ("shop.cart", "src"),
        "src/shop/prices.py": ("shop.prices", "src"),
        "src/shop/report.py": ("shop.report", "src"),
        "tests/test_cart.py": ("test_cart", "tests"),
    }
    assert [one.path for one in sources.files if one.is_test] == ["tests/test_cart.py"]
    (problem,) = sources.problems
    assert (problem["path"], problem["line"], problem["kind"]) == ("src/shop/broken.py", 1, "unread")


def test_links_out_hidden_folders_and_other_encodings_are_left_out(shop, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.py").write_text("PASSWORD = 1\n", "utf-8")
    (shop / "link").symlink_to(outside)
    (shop / "linked.py").symlink_to(outside / "secret.py")
    (shop / ".hidden").mkdir()
    (shop / ".hidden" / "a.py").write_text("", "utf-8")
    (shop / "latin.py").write_bytes("# coding: latin-1\nname = 'Zoë'\n".encode("latin-1"))
    (shop / "deep.py").write_text("x = " + "-" * 100_000 + "1\n", "utf-8")
    sources = read_sources(shop)
    assert len(sources.files) == 5
    assert {one["path"] for one in sources.problems} == {"src/shop/broken.py", "latin.py", "deep.py"}


def test_a_scope_is_a_folder_or_a_file(shop):
    assert {one.path for one in read_sources(shop, "tests").files} == {"tests/test_cart.py"}
    assert {one.path for one in read_sources(shop, "src/shop/cart.py").files} == {"src/shop/cart.py"}
    assert read_sources(shop, "src/sho").files == [], "not what only begins like it"


def test_functions_are_public_unless_something_around_them_is_not(shop):
    (cart,) = read_sources(shop, "src/shop/cart.py").files
    assert [(one.name, one.public) for one in cart.functions] == [
        ("Cart.add", True), ("Cart.total", True), ("Cart._hidden", False), ("choose", True),
    ]  # fmt: skip
