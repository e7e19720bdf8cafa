# Builds for aarch64 on another machine, with Debian's cross compiler, and runs what was built under qemu's user emulation.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_ASM_COMPILER aarch64-linux-gnu-gcc)
find_program(GMT_QEMU NAMES qemu-aarch64-static qemu-aarch64)
if(GMT_QEMU)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${GMT_QEMU} -L /usr/aarch64-linux-gnu)
endif()
