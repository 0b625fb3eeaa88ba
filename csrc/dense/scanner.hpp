#pragma once
// Queries of one call against blocks of rows: as a packed batch where there are enough of them.

#include <optional>

#include "context_graph/dense.hpp"
#include "packed_queries.hpp"

namespace cg::dense {

class Scanner {
   public:
    Scanner(const Kernel& kernel, const Queries& queries, const Rows& rows);

    // As `Scores`.
    void scores(int64_t begin, int64_t end, float* out, int64_t ld) const;

   private:
    const Kernel& kernel_;
    const Queries& queries_;
    const Rows& rows_;
    std::optional<PackedQueries> packed_;
};

}  // namespace cg::dense
