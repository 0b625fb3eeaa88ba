#include "canonical_json.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace cg {
namespace {

// Deeper values are left to Python, which knows how deep it may go and finds what holds itself.
constexpr int MAX_DEPTH = 100;

class Writer {
public:
    std::string text;

    // False where the value is left to Python: of another type, or nothing that JSON can hold. No Python code runs here.
    bool write(PyObject* value, int depth) {
        if (value == Py_None) return put("null");
        if (value == Py_True) return put("true");
        if (value == Py_False) return put("false");
        if (PyUnicode_Check(value)) return write_text(value);
        if (PyFloat_Check(value)) return write_float(PyFloat_AS_DOUBLE(value));
        if (PyLong_Check(value)) return write_integer(value);
        if (depth == MAX_DEPTH) return false;
        if (PyDict_CheckExact(value)) return write_dict(value, depth + 1);
        if (PyList_Check(value) || PyTuple_Check(value)) return write_list(value, depth + 1);
        return false;
    }

private:
    struct Member {
        std::string_view name;
        PyObject* value;
    };

    bool put(const char* token) {
        text += token;
        return true;
    }

    bool write_float(double value) {
        if (!std::isfinite(value)) return false;
        char* digits = PyOS_double_to_string(value, 'r', 0, Py_DTSF_ADD_DOT_0, nullptr);
        if (!digits) return failed();
        text += digits;
        PyMem_Free(digits);
        return true;
    }

    bool write_integer(PyObject* value) {
        int overflow = 0;
        const long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
        if (overflow) return false;
        text += std::to_string(number);
        return true;
    }

    bool write_text(PyObject* value) {
        if (PyUnicode_IS_COMPACT_ASCII(value)) {
            quote({static_cast<const char*>(PyUnicode_DATA(value)), static_cast<size_t>(PyUnicode_GET_LENGTH(value))});
            return true;
        }
        PyObject* bytes = PyUnicode_AsUTF8String(value);  // else the text would keep its UTF-8 for as long as it lives
        if (!bytes) return failed();
        quote({PyBytes_AS_STRING(bytes), static_cast<size_t>(PyBytes_GET_SIZE(bytes))});
        Py_DECREF(bytes);
        return true;
    }

    void quote(std::string_view content) {
        text += '"';
        size_t plain = 0;
        for (size_t i = 0; i < content.size(); ++i) {
            const auto letter = static_cast<unsigned char>(content[i]);
            if (letter >= 0x20 && letter != '"' && letter != '\\') continue;
            text += content.substr(plain, i - plain);
            plain = i + 1;
            escape(letter);
        }
        text += content.substr(plain);
        text += '"';
    }

    void escape(unsigned char letter) {
        constexpr char ESCAPED[] = "\"\\\b\f\n\r\t", NAMES[] = "\"\\bfnrt", DIGITS[] = "0123456789abcdef";
        text += '\\';
        const char* found = letter ? std::strchr(ESCAPED, letter) : nullptr;
        if (found) {
            text += NAMES[found - ESCAPED];
        } else {
            text += "u00";
            text += DIGITS[letter >> 4];
            text += DIGITS[letter & 15];
        }
    }

    // By UTF-8, which is the order of the characters too.
    bool write_dict(PyObject* dict, int depth) {
        std::vector<Member> members;
        members.reserve(static_cast<size_t>(PyDict_GET_SIZE(dict)));
        PyObject *key, *value;
        for (Py_ssize_t place = 0; PyDict_Next(dict, &place, &key, &value);) {
            if (!PyUnicode_Check(key)) return false;
            Py_ssize_t size;
            const char* name = PyUnicode_AsUTF8AndSize(key, &size);
            if (!name) return failed();
            members.push_back({{name, static_cast<size_t>(size)}, value});
        }
        std::sort(members.begin(), members.end(), [](const Member& a, const Member& b) { return a.name < b.name; });
        char before = '{';
        for (const Member& member : members) {
            text += before;
            before = ',';
            quote(member.name);
            text += ':';
            if (!write(member.value, depth)) return false;
        }
        text += members.empty() ? "{}" : "}";
        return true;
    }

    bool write_list(PyObject* list, int depth) {
        text += '[';
        const Py_ssize_t size = PySequence_Fast_GET_SIZE(list);
        for (Py_ssize_t i = 0; i < size; ++i) {
            if (i) text += ',';
            if (!write(PySequence_Fast_GET_ITEM(list, i), depth)) return false;
        }
        text += ']';
        return true;
    }

    bool failed() {
        PyErr_Clear();
        return false;
    }
};

}  // namespace

py::object canonical_json(py::handle value) {
    Writer writer;
    if (!writer.write(value.ptr(), 0)) return py::none();
    return py::bytes(writer.text);
}

}  // namespace cg
