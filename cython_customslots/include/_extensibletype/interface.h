/* SPDX-License-Identifier: MIT
 *
 * _extensibletype/interface.h - what a module tells Python about an interface.
 * Included by extensibletype.h; not for direct use.
 */

/** An interface as Python sees it: see PyExtensibleType_DeclareInterface(). */
/* [interface_spec.begin] */
typedef struct {
    size_t      size;               /**< of this struct */
    uintptr_t   id;                 /**< of the slot */
    const char *name;               /**< "geometry.Shape": what Python calls the class, and where
                                       people look for it */
    const char *doc;                /**< or NULL */
    const PyCustomSlots_Interface *iface;        /**< what is declared: count, hashes, layout, numbers
                                       and names of the functions.  (windows.h defines the
                                       whole word.) */
    const char *const *signatures;  /**< count texts as people write them, "double area(self) noexcept",
                                       behind which a newline, an empty line and a docstring may
                                       come; or NULL */
    const void *table;              /**< for classes of Python that derive from the interface: functions
                                       that raise NotImplementedError, with dispatch entries that
                                       call Python; NULL: Python cannot override all of it */
    uintptr_t   extends;            /**< the ID of the interface that it extends, or 0 */
    const char *module;             /**< the full name of the module that declares it, or NULL */
} PyExtensibleType_InterfaceSpec;
/* [interface_spec.end] */
