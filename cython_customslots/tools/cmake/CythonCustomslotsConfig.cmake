# SPDX-License-Identifier: MIT
#
# find_package(CythonCustomslots) behind find_package(Python COMPONENTS Interpreter ...),
# whose interpreter has the package cython-customslots:
#
#   cython_customslots_transpile(circle.pyx OUTPUT_VARIABLE circle_c)
#   Python_add_library(circle MODULE WITH_SOABI ${circle_c})
#
#   Python_add_library(total MODULE WITH_SOABI total.c)    # includes customslots.h
#   target_link_libraries(total PRIVATE CythonCustomslots::headers)
#
#   cython_customslots_transpile(square.pyx OUTPUT_VARIABLE square_c CYTHON_ARGS --runtime=linked)
#   Python_add_library(square MODULE WITH_SOABI ${square_c})
#   target_link_libraries(square PRIVATE CythonCustomslots::runtime)     # compiled once for all
#
# scikit-build-core finds this file by itself.  Without it:
#   cmake -DCMAKE_PREFIX_PATH=$(cython-customslots-config --cmakedir) ...
cmake_policy(PUSH)
cmake_policy(VERSION 3.20...3.31)

set(_cython_customslots_python "")
foreach(_cython_customslots_name Python Python3 PYTHON)
  if(NOT _cython_customslots_python AND ${_cython_customslots_name}_EXECUTABLE)
    set(_cython_customslots_python "${${_cython_customslots_name}_EXECUTABLE}")
    set(_cython_customslots_python_include ${${_cython_customslots_name}_INCLUDE_DIRS})
  endif()
endforeach()

if(NOT _cython_customslots_python)
  set(CythonCustomslots_FOUND FALSE)
  set(CythonCustomslots_NOT_FOUND_MESSAGE
    "found no Python_EXECUTABLE, expected find_package(Python COMPONENTS Interpreter \
Development.Module) before find_package(CythonCustomslots)")
else()
  execute_process(
    COMMAND "${_cython_customslots_python}" -m cython_customslots --version
    OUTPUT_VARIABLE _cython_customslots_version ERROR_VARIABLE _cython_customslots_error
    RESULT_VARIABLE _cython_customslots_result OUTPUT_STRIP_TRAILING_WHITESPACE)
  # The generated C and the headers have to be of one version.
  if(NOT _cython_customslots_result EQUAL 0)
    set(CythonCustomslots_FOUND FALSE)
    set(CythonCustomslots_NOT_FOUND_MESSAGE
      "${_cython_customslots_python} has no working cython-customslots; install it there \
with pip, or let Python_EXECUTABLE name the interpreter that has it. \
It says: ${_cython_customslots_error}")
  elseif(NOT _cython_customslots_version STREQUAL "cython-customslots ${CythonCustomslots_VERSION}")
    set(CythonCustomslots_FOUND FALSE)
    set(CythonCustomslots_NOT_FOUND_MESSAGE
      "found ${_cython_customslots_version} in ${_cython_customslots_python}, expected \
${CythonCustomslots_VERSION}, of which ${CMAKE_CURRENT_LIST_DIR} is; let CMAKE_PREFIX_PATH have \
what its `python -m cython_customslots --cmakedir` prints")
  endif()
endif()

if(NOT DEFINED CythonCustomslots_FOUND OR CythonCustomslots_FOUND)
  get_filename_component(CythonCustomslots_INCLUDE_DIR "${CMAKE_CURRENT_LIST_DIR}/../../include" ABSOLUTE)
  set(CythonCustomslots_COMMAND "${_cython_customslots_python}" -m cython_customslots cython)

  if(NOT TARGET CythonCustomslots::headers)
    add_library(CythonCustomslots::headers INTERFACE IMPORTED)
    set_target_properties(CythonCustomslots::headers PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES "${CythonCustomslots_INCLUDE_DIR}")
  endif()

  # Where a project can compile C: what modules link that were generated with --runtime=linked.
  get_property(_cython_customslots_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT TARGET CythonCustomslots::runtime AND "C" IN_LIST _cython_customslots_languages)
    add_library(CythonCustomslots_runtime STATIC EXCLUDE_FROM_ALL
      "${CythonCustomslots_INCLUDE_DIR}/customslots_runtime.c")
    set_target_properties(CythonCustomslots_runtime PROPERTIES POSITION_INDEPENDENT_CODE ON
      INCLUDE_DIRECTORIES "${_cython_customslots_python_include}")
    add_library(CythonCustomslots::runtime ALIAS CythonCustomslots_runtime)
  endif()

  # cython_customslots_transpile(<source> [LANGUAGE C|CXX] [OUTPUT <file>]
  #                              [OUTPUT_VARIABLE <variable>] [CYTHON_ARGS <argument>...])
  #
  # Generates C or C++ from a .pyx or .py file, again whenever one of the .pxd files that
  # it uses, or cython-customslots itself, has changed.  The file is <name>.c or <name>.cpp in the
  # current binary directory, or OUTPUT; its path is stored in OUTPUT_VARIABLE, which is
  # <name>_source unless told otherwise.  CYTHON_ARGS: --extend-all, -X boundscheck=False, ...
  function(cython_customslots_transpile source)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "LANGUAGE;OUTPUT;OUTPUT_VARIABLE" "CYTHON_ARGS")
    if(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
      message(FATAL_ERROR "cython_customslots_transpile(${source}): found \
'${arg_UNPARSED_ARGUMENTS}${arg_KEYWORDS_MISSING_VALUES}', expected LANGUAGE C|CXX, OUTPUT <file>, \
OUTPUT_VARIABLE <variable> and CYTHON_ARGS <argument>...")
    endif()
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
    if(NOT EXISTS "${source}")
      message(FATAL_ERROR "cython_customslots_transpile: there is no file ${source}")
    endif()
    cmake_path(GET source STEM name)
    if(NOT arg_LANGUAGE OR arg_LANGUAGE STREQUAL "C")
      set(suffix c)
    elseif(arg_LANGUAGE STREQUAL "CXX")
      set(suffix cpp)
      list(PREPEND arg_CYTHON_ARGS --cplus)
    else()
      message(FATAL_ERROR "cython_customslots_transpile(${source}): found LANGUAGE \
${arg_LANGUAGE}, expected C or CXX")
    endif()
    if(NOT arg_OUTPUT)
      set(arg_OUTPUT "${name}.${suffix}")
    endif()
    cmake_path(ABSOLUTE_PATH arg_OUTPUT BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
    cmake_path(GET arg_OUTPUT PARENT_PATH directory)
    file(MAKE_DIRECTORY "${directory}")
    add_custom_command(
      OUTPUT "${arg_OUTPUT}"
      COMMAND ${CythonCustomslots_COMMAND} -M ${arg_CYTHON_ARGS} "${source}" -o "${arg_OUTPUT}"
      DEPENDS "${source}"
      # Paths in it are relative to where the command runs.
      DEPFILE "${arg_OUTPUT}.dep"
      WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}"
      COMMENT "cython-customslots ${name}"
      VERBATIM)
    if(NOT arg_OUTPUT_VARIABLE)
      set(arg_OUTPUT_VARIABLE "${name}_source")
    endif()
    set(${arg_OUTPUT_VARIABLE} "${arg_OUTPUT}" PARENT_SCOPE)
  endfunction()
endif()
cmake_policy(POP)
