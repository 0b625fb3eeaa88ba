# cg_kernel_family(<name> ISAS <isa>... [PARTS <file>...] [CUDA])
#
# csrc/<name>/<isa>.cpp   one backend, built with that instruction set's flags
# csrc/<name>/<part>.cpp  code all backends share (selection, growth), built for the baseline
# csrc/<name>/c_api.cpp  the C interface, in the headers of context_graph/c/
# csrc/<name>/bindings.cpp  pybind11, goes into _core
# cuda/<name>.cu          with CUDA found

# Fused multiply-add only where a kernel asks for it, or two builds round differently.
set(CG_CXX_FLAGS -O3 -ffp-contract=off -fno-math-errno -Wall -Wextra)
set(CG_FLAGS_scalar -fno-tree-vectorize)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(CG_X86 ON)
  list(APPEND CG_CXX_FLAGS -march=x86-64-v2 -mtune=generic)
  set(CG_FLAGS_avx2 -mavx2 -mfma -mf16c)
  # AVX-512 as in Ice Lake and Zen 4; older AVX-512 machines run avx2.
  set(CG_FLAGS_avx512 ${CG_FLAGS_avx2} -mavx512f -mavx512bw -mavx512vl -mavx512dq -mavx512vnni -mavx512vpopcntdq
      -mprefer-vector-width=512 -Wno-maybe-uninitialized -Wno-uninitialized)  # GCC 12 warns inside its own header
  # What avx512 takes for batches where the processor has VDPBF16PS (Zen 4), see bfloat16() in cpu.hpp.
  set(CG_FLAGS_bf16 ${CG_FLAGS_avx512} -mavx512bf16)
  # What avx512 takes for batches where the processor has tiles (Sapphire Rapids), see amx() in cpu.hpp.
  set(CG_FLAGS_amx ${CG_FLAGS_avx512} -mavx512bf16 -mamx-tile -mamx-int8 -mamx-bf16)
  include(CheckCXXCompilerFlag)
  check_cxx_compiler_flag("-mavx512bf16 -mamx-tile -mamx-int8 -mamx-bf16" CG_AMX)  # GCC 11, Clang 12
endif()

set(CG_CUDA AUTO CACHE STRING "Build CUDA kernels: AUTO (where nvcc is found), ON, OFF")
set_property(CACHE CG_CUDA PROPERTY STRINGS AUTO ON OFF)
# Machine code for one card, PTX for every other from sm_80 on, which its driver compiles at the first call.
# Release wheels: "80-real;86-real;89-real;90-real;100-real;120-real;120-virtual".
set(CG_CUDA_ARCHS "120-real;80-virtual" CACHE STRING "CUDA architectures to compile for")
set(CG_HAS_CUDA OFF)
if(NOT CG_CUDA STREQUAL "OFF")
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    set(CMAKE_CUDA_ARCHITECTURES ${CG_CUDA_ARCHS})
    set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
    set(CMAKE_CUDA_STANDARD 17)
    enable_language(CUDA)
    find_package(CUDAToolkit REQUIRED)
    set(CG_HAS_CUDA ON)
  elseif(CG_CUDA STREQUAL "ON")
    message(FATAL_ERROR "CG_CUDA=ON but no CUDA compiler was found; set CMAKE_CUDA_COMPILER or use CG_CUDA=OFF")
  endif()
endif()

# Compiled once for two libraries: one for arrays of the host, which needs nothing but C++ and is what others link, and with
# CUDA one that has devices too.
configure_file(csrc/version.h.in ${CMAKE_CURRENT_BINARY_DIR}/include/context_graph/version.h @ONLY)
find_package(Threads REQUIRED)
add_library(context_graph_objects OBJECT)
target_include_directories(context_graph_objects PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/csrc/include ${CMAKE_CURRENT_BINARY_DIR}/include
                                                 PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/csrc)
target_link_libraries(context_graph_objects PUBLIC Threads::Threads)
target_compile_options(context_graph_objects PRIVATE ${CG_CXX_FLAGS})
if(CG_X86)
  target_compile_definitions(context_graph_objects PUBLIC CG_X86)
endif()
if(CG_AMX)
  target_compile_definitions(context_graph_objects PRIVATE CG_AMX)
endif()

add_library(context_graph_kernels STATIC csrc/gpu.cpp)  # gpu.cpp says that there is no device
target_link_libraries(context_graph_kernels PUBLIC context_graph_objects)
target_compile_options(context_graph_kernels PRIVATE ${CG_CXX_FLAGS})

if(CG_HAS_CUDA)
  add_library(context_graph_kernels_cuda STATIC cuda/check.cu cuda/column.cu cuda/device.cu cuda/pool.cu cuda/select.cu)
  target_include_directories(context_graph_kernels_cuda PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/csrc)
  target_link_libraries(context_graph_kernels_cuda PUBLIC context_graph_objects CUDA::cudart_static)
  target_compile_definitions(context_graph_kernels_cuda PUBLIC CG_HAS_CUDA)
  list(JOIN CG_CUDA_ARCHS "," archs)
  set_source_files_properties(cuda/device.cu PROPERTIES COMPILE_DEFINITIONS CG_CUDA_ARCHS="${archs}")
endif()

function(cg_kernel_family name)
  cmake_parse_arguments(PARSE_ARGV 1 family "CUDA" "" "ISAS;PARTS")
  foreach(isa IN LISTS family_ISAS)
    if(isa STREQUAL "scalar" OR (CG_X86 AND (CG_AMX OR NOT isa MATCHES "amx|bf16")))
      target_sources(context_graph_objects PRIVATE csrc/${name}/${isa}.cpp)
      set_source_files_properties(csrc/${name}/${isa}.cpp PROPERTIES COMPILE_OPTIONS "${CG_FLAGS_${isa}}")
    endif()
  endforeach()
  foreach(part IN LISTS family_PARTS ITEMS c_api)
    target_sources(context_graph_objects PRIVATE csrc/${name}/${part}.cpp)
  endforeach()
  if(family_CUDA AND CG_HAS_CUDA)
    target_sources(context_graph_kernels_cuda PRIVATE cuda/${name}.cu)
  endif()
  list(APPEND CG_BINDINGS csrc/${name}/bindings.cpp)
  set(CG_BINDINGS ${CG_BINDINGS} PARENT_SCOPE)
endfunction()
