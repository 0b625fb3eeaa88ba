#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cg {

namespace py = pybind11;

// A vocabulary of word pieces: the rows of a text's words by the longest match from the left, those inside of a word
// under "##". A table of its own, for a text has hundreds of words, and each waits for the memory that is looked into.
class WordPieces {
public:
    // Pieces in the order of their rows. A word of more characters than `longest`, or of which a part is in no piece, is
    // one `unknown`.
    WordPieces(const std::vector<std::string>& pieces, int64_t unknown, int64_t longest);

    // The rows of a text in lower case without accents and control characters: runs of letters and digits are words, and
    // so is every other character that is no blank.
    py::tuple rows(const py::str& text) const;

private:
    struct Slot {
        uint32_t hash;
        uint32_t begin;
        uint16_t size;
        uint16_t row;
    };

    int64_t find(uint64_t hash, std::string_view letters, bool inside) const;
    void add_word(std::string_view word, int64_t characters, std::vector<uint16_t>& rows) const;

    std::string letters_;
    std::vector<Slot> slots_;
    size_t longest_piece_ = 0;
    uint16_t unknown_;
    int64_t longest_word_;
};

void bind_word_pieces(py::module_& m);

}  // namespace cg
