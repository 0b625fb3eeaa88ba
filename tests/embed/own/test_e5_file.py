"""The file of multilingual-e5-small is numbers and word pieces; one that is damaged is an error, not a guess."""

import numpy as np
import pytest
import tiny_e5

from context_graph.embed.own.e5_file import Packed, vocabulary, weights
from context_graph.errors import EmbeddingFailed


def test_every_number_is_read_as_it_was_written(tmp_path):
    arrays = tiny_e5.write(tmp_path / "tiny.bin")
    content = weights(tmp_path / "tiny.bin")
    assert (content.heads, content.layers) == (tiny_e5.HEADS, tiny_e5.LAYERS)
    assert content.arrays.keys() == arrays.keys()
    for name, wanted in arrays.items():
        array = content.arrays[name]
        read = array.rows() if isinstance(array, Packed) else array
        np.testing.assert_array_equal(read.reshape(wanted.shape), wanted, err_msg=name)
    some = np.array([5, 0, 5])
    np.testing.assert_array_equal(content.arrays["emb.word"].rows(some), arrays["emb.word"][some])


def test_word_pieces_are_read_in_the_order_of_their_numbers(tmp_path):
    tiny_e5.write(tmp_path / "tiny.bin")
    content = vocabulary(tmp_path / "tiny.bin")
    assert [text for text, _ in content.pieces] == [text for text, _ in tiny_e5.PIECES]
    np.testing.assert_allclose([score for _, score in content.pieces], [score for _, score in tiny_e5.PIECES])
    assert content.unknown == 3 and content.plain == tiny_e5.PLAIN


@pytest.mark.parametrize("share", [0, 0.00001, 0.001, 0.01, 0.5, 0.999])
@pytest.mark.parametrize("read", [vocabulary, weights])
def test_a_file_that_ends_early_is_refused(tmp_path, read, share):
    file = tmp_path / "tiny.bin"
    tiny_e5.write(file)
    whole = file.read_bytes()
    file.write_bytes(whole[: int(share * len(whole))])
    if read is vocabulary and share >= 0.01:
        assert read(file).pieces  # what it asks for lies before the cut
        return
    with pytest.raises(EmbeddingFailed, match=r"tiny\.bin is no file of multilingual-e5-small"):
        read(file)


def test_another_file_is_refused(tmp_path):
    (tmp_path / "other.bin").write_bytes(b"PK\x03\x04" + bytes(500))
    with pytest.raises(EmbeddingFailed, match="does not begin with b'E5S1'"):
        weights(tmp_path / "other.bin")
    with pytest.raises(EmbeddingFailed, match="is no file of"):
        vocabulary(tmp_path / "none.bin")
