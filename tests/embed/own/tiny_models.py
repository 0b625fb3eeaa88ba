"""Tiny models for tests: ONNX graphs written byte by byte, and tokenizers trained on the probes."""

import json
import struct
from pathlib import Path

import numpy as np

from context_graph.embed.own.fit import probes

INT64, FLOAT = 7, 1
KINDS = ("bpe", "unigram", "wordpiece")


def _varint(number: int) -> bytes:
    number &= (1 << 64) - 1
    out = bytearray()
    while True:
        number, low = number >> 7, number & 127
        out.append(low | (128 if number else 0))
        if not number:
            return bytes(out)


def _field(number: int, value) -> bytes:
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    data = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def _tensor(name: str, array: np.ndarray) -> bytes:
    kind = {"f": FLOAT, "i": INT64}[array.dtype.kind]
    return b"".join(_field(1, d) for d in array.shape) + _field(2, kind) + _field(8, name) + _field(9, array.tobytes())


def _node(op: str, inputs: str, output: str, **attributes: int) -> bytes:
    told = b"".join(_field(5, _field(1, name) + _field(3, value) + _field(20, 2)) for name, value in attributes.items())
    return b"".join(_field(1, one) for one in inputs.split()) + _field(2, output) + _field(4, op) + told


def _value(name: str, kind: int, *dims) -> bytes:
    shape = b"".join(_field(1, _field(2, d) if isinstance(d, str) else _field(1, d)) for d in dims)
    return _field(1, name) + _field(2, _field(1, _field(1, kind) + _field(2, shape)))


def model(nodes: list[bytes], tensors: dict[str, np.ndarray], inputs: list[bytes], outputs: list[bytes]) -> bytes:
    """An ONNX file."""
    graph = b"".join(_field(1, node) for node in nodes) + _field(2, "tiny")
    graph += b"".join(_field(5, _tensor(name, array)) for name, array in tensors.items())
    graph += b"".join(_field(11, one) for one in inputs) + b"".join(_field(12, one) for one in outputs)
    return _field(1, 8) + _field(7, graph) + _field(8, _field(2, 13))


IDS = [_value("input_ids", INT64, "b", "t"), _value("attention_mask", INT64, "b", "t")]


def encoder(table: np.ndarray, output: str = "last_hidden_state") -> bytes:
    """States are rows of a table, zero where masked: float32 (vocabulary, width)."""
    nodes = [
        _node("Gather", "table input_ids", "rows", axis=0),
        _node("Cast", "attention_mask", "mask", to=FLOAT),
        _node("Unsqueeze", "mask axes", "column"),
        _node("Mul", "rows column", output),
    ]
    tensors = {"table": table.astype(np.float32), "axes": np.array([2], np.int64)}
    return model(nodes, tensors, IDS, [_value(output, FLOAT, "b", "t", table.shape[1])])


def pair_encoder(table: np.ndarray) -> bytes:
    """The score of a pair is the sum of the rows of its tokens: float32 (vocabulary, labels)."""
    nodes = [
        _node("Gather", "table input_ids", "rows", axis=0),
        _node("Cast", "attention_mask", "mask", to=FLOAT),
        _node("Unsqueeze", "mask last", "column"),
        _node("Mul", "rows column", "seen"),
        _node("ReduceSum", "seen tokens", "logits", keepdims=0),
    ]
    tensors = {
        "table": table.astype(np.float32), "last": np.array([2], np.int64), "tokens": np.array([1], np.int64),
    }  # fmt: skip
    return model(nodes, tensors, IDS, [_value("logits", FLOAT, "b", table.shape[1])])


def tokenizer(kind: str, *, size: int = 400):
    """A tokenizer of each kind that tokenizer.json knows, trained on the probes."""
    import tokenizers
    from tokenizers import decoders, models, normalizers, pre_tokenizers, processors, trainers

    corpus = [text for part in probes() for text in part]
    if kind == "wordpiece":
        made, special = tokenizers.Tokenizer(models.WordPiece(unk_token="[UNK]")), ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
        made.normalizer = normalizers.BertNormalizer(lowercase=True)
        made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        trainer, frame = trainers.WordPieceTrainer(vocab_size=size, special_tokens=special), ("[CLS]", "[SEP]")
    elif kind == "bpe":
        made, special = tokenizers.Tokenizer(models.BPE()), ["<s>", "<pad>", "</s>"]
        made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        made.decoder = decoders.ByteLevel()
        letters = pre_tokenizers.ByteLevel.alphabet()
        trainer = trainers.BpeTrainer(vocab_size=size, special_tokens=special, initial_alphabet=letters)
        frame = ("<s>", "</s>")
    else:
        made, special = tokenizers.Tokenizer(models.Unigram()), ["<s>", "<pad>", "</s>", "<unk>"]
        made.normalizer = normalizers.NFKC()
        made.pre_tokenizer = pre_tokenizers.Metaspace()
        trainer = trainers.UnigramTrainer(vocab_size=size, special_tokens=special, unk_token="<unk>")
        frame = ("<s>", "</s>")
    made.train_from_iterator(corpus, trainer)
    first, last = ((name, made.token_to_id(name)) for name in frame)
    made.post_processor = processors.TemplateProcessing(
        single=f"{frame[0]} $A {frame[1]}", pair=f"{frame[0]} $A {frame[1]} $B:1 {frame[1]}:1",
        special_tokens=[first, last],
    )  # fmt: skip
    return made


def folder(path: Path, kind: str = "wordpiece", *, width: int = 48, pooling: str = "mean", **files) -> np.ndarray:
    """Write a model of a kind into a folder; returns its table, a row for each token."""
    path.mkdir(parents=True, exist_ok=True)
    made = tokenizer(kind)
    made.save(str(path / "tokenizer.json"))
    table = np.random.default_rng(7).standard_normal((made.get_vocab_size(), width)).astype(np.float32)
    (path / "model.onnx").write_bytes(encoder(table))
    (path / "1_Pooling").mkdir(exist_ok=True)
    mode = {"mean": "pooling_mode_mean_tokens", "cls": "pooling_mode_cls_token", "last": "pooling_mode_lasttoken"}
    config = {"word_embedding_dimension": width, mode[pooling]: True}
    (path / "1_Pooling" / "config.json").write_text(json.dumps(config), "utf-8")
    for name, value in files.items():
        file = path / name.replace("__", "/")
        file.with_suffix(".json").write_text(json.dumps(value), "utf-8")
    return table


def safetensors(arrays: dict[str, np.ndarray]) -> bytes:
    """A safetensors file of float32 arrays."""
    header, data = {}, b""
    for name, array in arrays.items():
        raw = array.astype("<f4").tobytes()
        header[name] = {"dtype": "F32", "shape": list(array.shape), "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    told = json.dumps(header).encode()
    return struct.pack("<Q", len(told)) + told + data
