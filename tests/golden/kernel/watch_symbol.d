/* @@kernel: */
watch:vmlinux:typed_imt:write { }
