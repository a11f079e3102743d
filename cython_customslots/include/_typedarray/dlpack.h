/* SPDX-License-Identifier: Apache-2.0
 *
 * _typedarray/dlpack.h - DLPack's structs, under DLPack's names.
 * Included by typedarray.h; not for direct use.
 *
 * The declarations of dlpack.h 1.3 (https://github.com/dmlc/dlpack, "Copyright (c) 2017 - by
 * Contributors"), whose names, members and order are the field's agreement; the comments are ours,
 * and DLPack's own file explains each member.  The guard is DLPack's, too: the real file may be
 * included before (1.3 or later) or after (any version, which then declares nothing more).
 */
#ifdef DLPACK_DLPACK_H_
#  if !defined(DLPACK_MAJOR_VERSION) || DLPACK_MAJOR_VERSION != 1 || DLPACK_MINOR_VERSION < 3
#    error "found a dlpack.h before 1.3 or after 1, expected one that has DLPackExchangeAPI; include typedarray.h first"
#  endif
#else
#define DLPACK_DLPACK_H_

#ifdef __cplusplus
#  define DLPACK_EXTERN_C extern "C"
#else
#  define DLPACK_EXTERN_C
#endif
#define DLPACK_MAJOR_VERSION 1
#define DLPACK_MINOR_VERSION 3
#define DLPACK_DLL

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint32_t major;     /* another one: nothing but the deleter may be used */
    uint32_t minor;     /* another one: codes that are not listed here */
} DLPackVersion;

#ifdef __cplusplus
typedef enum : int32_t {
#else
typedef enum {
#endif
    kDLCPU = 1,
    kDLCUDA = 2,
    kDLCUDAHost = 3,
    kDLOpenCL = 4,
    kDLVulkan = 7,
    kDLMetal = 8,
    kDLVPI = 9,
    kDLROCM = 10,
    kDLROCMHost = 11,
    kDLExtDev = 12,
    kDLCUDAManaged = 13,
    kDLOneAPI = 14,
    kDLWebGPU = 15,
    kDLHexagon = 16,
    kDLMAIA = 17,
    kDLTrn = 18
} DLDeviceType;

typedef struct {
    DLDeviceType device_type;
    int32_t      device_id;
} DLDevice;

typedef enum {
    kDLInt = 0U,
    kDLUInt = 1U,
    kDLFloat = 2U,
    kDLOpaqueHandle = 3U,
    kDLBfloat = 4U,
    kDLComplex = 5U,
    kDLBool = 6U,
    kDLFloat8_e3m4 = 7U,
    kDLFloat8_e4m3 = 8U,
    kDLFloat8_e4m3b11fnuz = 9U,
    kDLFloat8_e4m3fn = 10U,
    kDLFloat8_e4m3fnuz = 11U,
    kDLFloat8_e5m2 = 12U,
    kDLFloat8_e5m2fnuz = 13U,
    kDLFloat8_e8m0fnu = 14U,
    kDLFloat6_e2m3fn = 15U,
    kDLFloat6_e3m2fn = 16U,
    kDLFloat4_e2m1fn = 17U
} DLDataTypeCode;

typedef struct {
    uint8_t  code;      /* a DLDataTypeCode */
    uint8_t  bits;      /* of one lane; of both parts of a complex number */
    uint16_t lanes;     /* 1, or more for items that are vectors */
} DLDataType;

typedef struct {
    void      *data;
    DLDevice   device;
    int32_t    ndim;
    DLDataType dtype;
    int64_t   *shape;
    int64_t   *strides;     /* in items; before 1.2 NULL means C-contiguous */
    uint64_t   byte_offset; /* from `data` to the first item */
} DLTensor;

/* What the capsule "dltensor" holds. */
typedef struct DLManagedTensor {
    DLTensor dl_tensor;
    void    *manager_ctx;
    void   (*deleter)(struct DLManagedTensor *self);
} DLManagedTensor;

#define DLPACK_FLAG_BITMASK_READ_ONLY (1UL << 0UL)
#define DLPACK_FLAG_BITMASK_IS_COPIED (1UL << 1UL)
#define DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED (1UL << 2UL)

/* What the capsule "dltensor_versioned" holds. */
typedef struct DLManagedTensorVersioned {
    DLPackVersion version;
    void         *manager_ctx;
    void        (*deleter)(struct DLManagedTensorVersioned *self);
    uint64_t      flags;
    DLTensor      dl_tensor;
} DLManagedTensorVersioned;

/* The table of functions in the capsule "dlpack_exchange_api".  All return 0, or -1 with a Python
   exception (the allocator through SetError), and throw nothing of C++. */
typedef int (*DLPackManagedTensorAllocator)(
    DLTensor *prototype, DLManagedTensorVersioned **out, void *error_ctx,
    void (*SetError)(void *error_ctx, const char *kind, const char *message));
typedef int (*DLPackManagedTensorFromPyObjectNoSync)(void *py_object, DLManagedTensorVersioned **out);
typedef int (*DLPackDLTensorFromPyObjectNoSync)(void *py_object, DLTensor *out);
typedef int (*DLPackCurrentWorkStream)(DLDeviceType device_type, int32_t device_id, void **out_current_stream);
typedef int (*DLPackManagedTensorToPyObjectNoSync)(DLManagedTensorVersioned *tensor, void **out_py_object);

typedef struct DLPackExchangeAPIHeader {
    DLPackVersion version;
    struct DLPackExchangeAPIHeader *prev_api;   /* the same of an older major version, or NULL */
} DLPackExchangeAPIHeader;

typedef struct DLPackExchangeAPI {
    DLPackExchangeAPIHeader header;
    DLPackManagedTensorAllocator managed_tensor_allocator;
    DLPackManagedTensorFromPyObjectNoSync managed_tensor_from_py_object_no_sync;
    DLPackManagedTensorToPyObjectNoSync managed_tensor_to_py_object_no_sync;
    DLPackDLTensorFromPyObjectNoSync dltensor_from_py_object_no_sync;   /* may be NULL */
    DLPackCurrentWorkStream current_work_stream;
} DLPackExchangeAPI;

#ifdef __cplusplus
}
#endif

#endif /* DLPACK_DLPACK_H_ */
