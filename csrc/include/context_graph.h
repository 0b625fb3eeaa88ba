/* The kernels of Context Graph on arrays of the host, for C and for whatever speaks its ABI. */
#ifndef CONTEXT_GRAPH_H
#define CONTEXT_GRAPH_H

#include "context_graph/version.h"

#include "context_graph/c/base.h"
#include "context_graph/c/cones.h"
#include "context_graph/c/dense.h"
#include "context_graph/c/fusemoe.h"
#include "context_graph/c/graph.h"
#include "context_graph/c/hdc.h"
#include "context_graph/c/hebbian.h"
#include "context_graph/c/hopfield.h"
#include "context_graph/c/maxsim.h"
#include "context_graph/c/modulation.h"
#include "context_graph/c/poincare.h"
#include "context_graph/c/sparse.h"
#include "context_graph/c/transe.h"

#endif
