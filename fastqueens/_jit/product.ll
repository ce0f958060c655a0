; The product of two 128-bit numbers, which WebAssembly lacks, from four products of 32 bits.
define hidden void @__multi3(ptr %to, i64 %a, i64 %ah, i64 %b, i64 %bh) {
  %a0 = and i64 %a, 4294967295
  %a1 = lshr i64 %a, 32
  %b0 = and i64 %b, 4294967295
  %b1 = lshr i64 %b, 32
  %p00 = mul i64 %a0, %b0
  %p01 = mul i64 %a0, %b1
  %p10 = mul i64 %a1, %b0
  %p11 = mul i64 %a1, %b1
  %carry = lshr i64 %p00, 32
  %middle = add i64 %p10, %carry
  %middle0 = and i64 %middle, 4294967295
  %middle1 = lshr i64 %middle, 32
  %sum = add i64 %p01, %middle0
  %sum1 = lshr i64 %sum, 32
  %high1 = add i64 %p11, %middle1
  %high2 = add i64 %high1, %sum1
  %cross1 = mul i64 %ah, %b
  %cross2 = mul i64 %a, %bh
  %high3 = add i64 %high2, %cross1
  %high = add i64 %high3, %cross2
  %low = mul i64 %a, %b
  store i64 %low, ptr %to
  %next = getelementptr i64, ptr %to, i32 1
  store i64 %high, ptr %next
  ret void
}
