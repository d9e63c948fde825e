/* Unpacks one zstd frame of known length; raises Failure otherwise. */

#include <caml/alloc.h>
#include <caml/fail.h>
#include <caml/memory.h>
#include <caml/mlvalues.h>
#include <string.h>
#include <zstd.h>

value tengen_unpack(value packed, value length) {
  CAMLparam2(packed, length);
  CAMLlocal1(result);
  size_t size = caml_string_length(packed), wanted = Long_val(length);
  const char *from = String_val(packed);
  if (size < 4 || memcmp(from, "\x28\xb5\x2f\xfd", 4) != 0) caml_failwith("is not one zstd frame");
  size_t frame = ZSTD_findFrameCompressedSize(from, size);
  if (ZSTD_isError(frame) || frame != size) caml_failwith("is not one zstd frame");
  result = caml_alloc_string(wanted + 1); /* a byte more, to see that there is none */
  ZSTD_DCtx *context = ZSTD_createDCtx();
  if (context == NULL) caml_failwith("cannot be unpacked for want of memory");
  /* As a stream, for only then does the limit of the window count. */
  ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, 22);
  ZSTD_inBuffer in = {String_val(packed), size, 0};
  ZSTD_outBuffer out = {Bytes_val(result), wanted + 1, 0};
  size_t left = 1;
  for (size_t before = (size_t)-1; left != 0 && !ZSTD_isError(left) && before != in.pos + out.pos;) {
    before = in.pos + out.pos;
    left = ZSTD_decompressStream(context, &out, &in);
  }
  ZSTD_freeDCtx(context);
  if (left != 0 || out.pos != wanted) caml_failwith("does not unpack to its stated length");
  CAMLreturn(result);
}
