# What the tests share that run whole programs under the tracer: fixtures in C, and scripts that run and judge them.

# gmt_add_fixture(NAME PROGRAM|LIBRARY [OUTPUT file name] [SONAME name] [FOLDER below tests/GROUP] [SOURCES files]
#                 [LINK libraries] [OPTIONS compile options] [LINK_OPTIONS options])
# The target is fixture_GROUP_NAME. No run path: the scripts say where libraries are. What is linked is needed.
function(gmt_add_fixture name)
  cmake_parse_arguments(arg "PROGRAM;LIBRARY" "OUTPUT;FOLDER;SONAME" "SOURCES;LINK;OPTIONS;LINK_OPTIONS" ${ARGN})
  get_filename_component(group ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  set(target fixture_${group}_${name})
  set(folder ${CMAKE_BINARY_DIR}/tests/${group}/${arg_FOLDER})
  if(arg_PROGRAM)
    add_executable(${target} ${arg_SOURCES})
  else()
    add_library(${target} SHARED ${arg_SOURCES})
    set_target_properties(${target} PROPERTIES PREFIX "" SUFFIX "" NO_SONAME ON)
    if(arg_SONAME)
      target_link_options(${target} PRIVATE -Wl,-soname,${arg_SONAME})
    endif()
  endif()
  if(NOT arg_OUTPUT)
    set(arg_OUTPUT ${name}$<$<BOOL:${arg_LIBRARY}>:.so>)
  endif()
  target_compile_options(${target} PRIVATE -g -Wno-missing-prototypes ${arg_OPTIONS})
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/tests/support)
  target_link_libraries(${target} PRIVATE gmt_cuda_headers ${arg_LINK})
  target_link_options(${target} PRIVATE -Wl,--no-as-needed,--unresolved-symbols=ignore-in-shared-libs ${arg_LINK_OPTIONS})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${arg_OUTPUT} SKIP_BUILD_RPATH ON C_VISIBILITY_PRESET default
                        RUNTIME_OUTPUT_DIRECTORY ${folder} LIBRARY_OUTPUT_DIRECTORY ${folder})
endfunction()

# gmt_add_scripts(): each NAME.py of this folder is the test FOLDER.NAME. With GMT_LONG in the environment the campaigns
# among them run at full length. Each run of a program has a limit of its own; ctest's is for all of a script's runs.
function(gmt_add_scripts)
  get_filename_component(group ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  file(GLOB scripts RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS *.py)
  foreach(script ${scripts})
    get_filename_component(name ${script} NAME_WE)
    add_test(NAME ${group}.${name} COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/${script})
    set_tests_properties(${group}.${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 900 ENVIRONMENT
      "PYTHONPATH=${CMAKE_SOURCE_DIR}/tests/support;GMT_LIBRARY=$<TARGET_FILE:gpumemtrace>;GMT_DUMP=$<TARGET_FILE:trace_dump>;GMT_FIXTURES=${CMAKE_BINARY_DIR}/tests;GMT_GROUP=${group};GMT_BUILD=${CMAKE_BINARY_DIR};GMT_SOURCE=${CMAKE_SOURCE_DIR};GMT_SANITIZE=${GMT_SANITIZE};GMT_CUDA_INCLUDE=${GMT_CUDA_INCLUDE}")
  endforeach()
endfunction()
