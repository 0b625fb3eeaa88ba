#include "word_pieces.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <stdexcept>

namespace cg {
namespace {

// FNV-1a, letter by letter: that of each beginning of a word follows from the one before.
constexpr uint64_t BASIS = 0xcbf29ce484222325;
constexpr uint64_t hashed(uint64_t hash, unsigned char letter) { return (hash ^ letter) * 0x100000001b3; }
constexpr uint64_t INSIDE = hashed(hashed(BASIS, '#'), '#');

uint64_t hash_of(std::string_view text) {
    uint64_t hash = BASIS;
    for (const char letter : text) hash = hashed(hash, static_cast<unsigned char>(letter));
    return hash;
}

uint32_t folded(uint64_t hash) { return static_cast<uint32_t>(hash ^ hash >> 32); }

bool begins_character(char letter) { return (static_cast<unsigned char>(letter) & 0xc0) != 0x80; }

// UTF-8, of half a pair as well.
void put_character(uint32_t character, std::string& text) {
    const auto put = [&](uint32_t letter) { text += static_cast<char>(letter); };
    if (character < 0x80) return put(character);
    if (character < 0x800) {
        put(0xc0 | character >> 6);
    } else {
        if (character < 0x10000) {
            put(0xe0 | character >> 12);
        } else {
            put(0xf0 | character >> 18);
            put(0x80 | (character >> 12 & 0x3f));
        }
        put(0x80 | (character >> 6 & 0x3f));
    }
    put(0x80 | (character & 0x3f));
}

}  // namespace

WordPieces::WordPieces(const std::vector<std::string>& pieces, int64_t unknown, int64_t longest)
    : unknown_(static_cast<uint16_t>(unknown)), longest_word_(longest) {
    if (pieces.size() > UINT16_MAX || unknown < 0 || unknown >= static_cast<int64_t>(pieces.size())) {
        throw std::invalid_argument("a vocabulary has up to 65,535 pieces, and one of them stands for what is unknown");
    }
    size_t room = 64;
    while (room < 2 * pieces.size()) room *= 2;
    slots_.resize(room);
    for (size_t row = 0; row < pieces.size(); ++row) {
        const std::string& piece = pieces[row];
        if (piece.size() > UINT16_MAX) throw std::invalid_argument("a piece is too long");
        if (piece.empty()) continue;
        const uint32_t hash = folded(hash_of(piece));
        size_t at = hash & (room - 1);
        while (slots_[at].size) at = (at + 1) & (room - 1);
        slots_[at] = {hash, static_cast<uint32_t>(letters_.size()), static_cast<uint16_t>(piece.size()),
                      static_cast<uint16_t>(row)};
        letters_ += piece;
        longest_piece_ = std::max(longest_piece_, piece.size());
    }
}

// The row of these letters, which inside of a word follow "##"; -1 where no piece has them.
int64_t WordPieces::find(uint64_t hash, std::string_view letters, bool inside) const {
    const uint32_t wanted = folded(hash);
    const size_t before = inside ? 2 : 0;
    for (size_t at = wanted & (slots_.size() - 1); slots_[at].size; at = (at + 1) & (slots_.size() - 1)) {
        const Slot& slot = slots_[at];
        if (slot.hash != wanted || slot.size != before + letters.size()) continue;
        const std::string_view piece(letters_.data() + slot.begin, slot.size);
        if (piece.substr(before) == letters && piece.substr(0, before) == std::string_view("##", before)) return slot.row;
    }
    return -1;
}

void WordPieces::add_word(std::string_view word, int64_t characters, std::vector<uint16_t>& rows) const {
    const size_t before = rows.size();
    if (characters > longest_word_) return rows.push_back(unknown_);
    uint64_t hashes[512];
    for (size_t start = 0; start < word.size();) {
        const size_t reach = std::min({word.size(), start + longest_piece_, start + 511});
        hashes[0] = start ? INSIDE : BASIS;
        for (size_t at = start; at < reach; ++at) {
            hashes[at - start + 1] = hashed(hashes[at - start], static_cast<unsigned char>(word[at]));
        }
        size_t end = reach;
        int64_t row = -1;
        for (; end > start; --end) {
            if (end < word.size() && !begins_character(word[end])) continue;
            row = find(hashes[end - start], word.substr(start, end - start), start > 0);
            if (row >= 0) break;
        }
        if (row < 0) {
            rows.resize(before);
            return rows.push_back(unknown_);
        }
        rows.push_back(static_cast<uint16_t>(row));
        start = end;
    }
}

py::tuple WordPieces::rows(const py::str& text) const {
    PyObject* unicode = text.ptr();
    const int kind = PyUnicode_KIND(unicode);
    const void* data = PyUnicode_DATA(unicode);
    const Py_ssize_t size = PyUnicode_GET_LENGTH(unicode);
    std::vector<uint16_t> rows;
    rows.reserve(static_cast<size_t>(size) / 3);
    std::string word;
    int64_t characters = 0;
    const auto end_word = [&] {
        if (characters) add_word(word, characters, rows);
        word.clear();
        characters = 0;
    };
    for (Py_ssize_t i = 0; i < size; ++i) {
        const Py_UCS4 character = PyUnicode_READ(kind, data, i);
        const bool joins = Py_UNICODE_ISALNUM(character);
        if (!joins) end_word();
        if (joins || !Py_UNICODE_ISSPACE(character)) {
            put_character(character, word);
            ++characters;
        }
        if (!joins) end_word();
    }
    end_word();
    py::tuple out(rows.size());
    for (size_t i = 0; i < rows.size(); ++i) {
        PyTuple_SET_ITEM(out.ptr(), static_cast<Py_ssize_t>(i), PyLong_FromLong(rows[i]));
    }
    return out;
}

void bind_word_pieces(py::module_& m) {
    py::class_<WordPieces>(m, "WordPieces")
        .def(py::init<const std::vector<std::string>&, int64_t, int64_t>(), py::arg("pieces"), py::arg("unknown"),
             py::arg("longest"))
        .def("rows", &WordPieces::rows, py::arg("text"));
}

}  // namespace cg
