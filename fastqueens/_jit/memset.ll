; The memset of C, so that a library for Windows needs no other one: 64 bytes at a time, then 8, then 1.
define ptr @memset(ptr %to, i32 %value, i64 %count) {
  %byte = trunc i32 %value to i8
  %wide = zext i8 %byte to i64
  %eight = mul i64 %wide, 72340172838076673
  %one = insertelement <8 x i64> poison, i64 %eight, i32 0
  %all = shufflevector <8 x i64> %one, <8 x i64> poison, <8 x i32> zeroinitializer
  %end64 = and i64 %count, -64
  %end8 = and i64 %count, -8
  br label %by64

by64:
  %at64 = phi i64 [ 0, %0 ], [ %next64, %store64 ]
  %is64 = icmp ult i64 %at64, %end64
  br i1 %is64, label %store64, label %by8
store64:
  %to64 = getelementptr i8, ptr %to, i64 %at64
  store <8 x i64> %all, ptr %to64, align 1
  %next64 = add i64 %at64, 64
  br label %by64

by8:
  %at8 = phi i64 [ %at64, %by64 ], [ %next8, %store8 ]
  %is8 = icmp ult i64 %at8, %end8
  br i1 %is8, label %store8, label %by1
store8:
  %to8 = getelementptr i8, ptr %to, i64 %at8
  store i64 %eight, ptr %to8, align 1
  %next8 = add i64 %at8, 8
  br label %by8

by1:
  %at1 = phi i64 [ %at8, %by8 ], [ %next1, %store1 ]
  %is1 = icmp ult i64 %at1, %count
  br i1 %is1, label %store1, label %done
store1:
  %to1 = getelementptr i8, ptr %to, i64 %at1
  store i8 %byte, ptr %to1, align 1
  %next1 = add i64 %at1, 1
  br label %by1

done:
  ret ptr %to
}
