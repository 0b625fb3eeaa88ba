# What C and C++ users get: headers, the static library, a CMake package and a pkg-config file, under one folder.
# In a wheel that folder is the Python package's own; `context_graph.get_cmake_dir()` names the package's place.

if(DEFINED SKBUILD)
  set(CG_LIBRARY_ROOT context_graph)
else()
  set(CG_LIBRARY_ROOT .)
endif()
set(generated ${CMAKE_CURRENT_BINARY_DIR}/library)

# With CUDA there is a second library, which needs the static runtime of the toolkit; it stays out of wheels.
set(CG_CONFIG_CUDA "")
if(CG_HAS_CUDA AND NOT DEFINED SKBUILD)
  set(CG_CONFIG_CUDA
"  # The same and the kernels for CUDA devices: for it instead of kernels, not beside.
  find_dependency(CUDAToolkit)
  add_library(context_graph::kernels_cuda STATIC IMPORTED)
  set_target_properties(context_graph::kernels_cuda PROPERTIES
    IMPORTED_LOCATION \"\${_context_graph_root}/lib/libcontext_graph_kernels_cuda.a\"
    INTERFACE_INCLUDE_DIRECTORIES \"\${_context_graph_root}/include\"
    INTERFACE_COMPILE_DEFINITIONS CG_HAS_CUDA
    INTERFACE_LINK_LIBRARIES \"CUDA::cudart_static;Threads::Threads;stdc++;m\")
")
  install(TARGETS context_graph_kernels_cuda ARCHIVE DESTINATION ${CG_LIBRARY_ROOT}/lib COMPONENT library)
endif()

include(CMakePackageConfigHelpers)
configure_file(csrc/context_graph-config.cmake.in ${generated}/context_graph-config.cmake @ONLY)
configure_file(csrc/context_graph.pc.in ${generated}/context_graph.pc @ONLY)
write_basic_package_version_file(${generated}/context_graph-config-version.cmake COMPATIBILITY SameMinorVersion)

install(DIRECTORY csrc/include/ ${CMAKE_CURRENT_BINARY_DIR}/include/ DESTINATION ${CG_LIBRARY_ROOT}/include COMPONENT library)
install(TARGETS context_graph_kernels ARCHIVE DESTINATION ${CG_LIBRARY_ROOT}/lib COMPONENT library)
install(FILES ${generated}/context_graph-config.cmake ${generated}/context_graph-config-version.cmake
        DESTINATION ${CG_LIBRARY_ROOT}/lib/cmake/context_graph COMPONENT library)
install(FILES ${generated}/context_graph.pc DESTINATION ${CG_LIBRARY_ROOT}/lib/pkgconfig COMPONENT library)
if(NOT DEFINED SKBUILD)
  install(FILES LICENSE DESTINATION share/doc/context_graph COMPONENT library)
endif()
