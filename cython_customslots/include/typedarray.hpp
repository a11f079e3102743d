/* SPDX-License-Identifier: MIT
 *
 * typedarray.hpp - any array as a C++ object: customslots::array<double, 2>.
 *
 * The C++ form of PyTypedArray (typedarray.h): the type says which items and how many dimensions,
 * the constructor asks the object, the destructor gives back.  C++11 or later.
 * An example, which is compiled and run, is in docs/arrays.md.
 *
 * ITEMS are integers, bool, float, double, long double, std::complex<float> or <double>.  The items
 * of array<const double> are only read; array<double> takes only arrays that may be written to.
 *
 * ERRORS are Python exceptions, never C++ ones: after a constructor that failed, `if (!a)`.  An index
 * is not checked.
 *
 * THE MEMORY and THE GIL: as PyTypedArray_Init() says, or with customslots::keep PyTypedArray_Own().
 * An array cannot be copied or moved.  Its views (rows) can, and are valid while the array exists.
 */
#ifndef Py_TYPEDARRAY_HPP
#define Py_TYPEDARRAY_HPP

#if !defined(__cplusplus) || (__cplusplus < 201103L && !defined(_MSC_VER))
#  error "typedarray.hpp needs C++11 or later; C has typedarray.h"
#endif

#include "typedarray.h"

#include <complex>
#include <type_traits>

namespace customslots {

template <typename T, int N> class array_view;

namespace detail {

template <typename T> struct item_code {
    static_assert(std::is_arithmetic<T>::value,
                  "found a type that no array has items of; expected an integer, bool, float, double, long "
                  "double, std::complex<float> or std::complex<double>");
    static constexpr int value = std::is_same<T, bool>::value ? kDLBool
        : std::is_floating_point<T>::value ? kDLFloat : std::is_signed<T>::value ? kDLInt : kDLUInt;
};
template <> struct item_code<std::complex<float>> { static constexpr int value = kDLComplex; };
template <> struct item_code<std::complex<double>> { static constexpr int value = kDLComplex; };

/* What index [i] of N dimensions leads to: an item, or a view of the other dimensions. */
template <typename T, int N> struct element {
    typedef array_view<T, N - 1> type;
    _Pycs_FAST type at(void *data, const Py_ssize_t *shape, const Py_ssize_t *strides)
    {
        return type(data, shape + 1, strides + 1);
    }
};
template <typename T> struct element<T, 1> {
    typedef T &type;
    _Pycs_FAST type at(void *data, const Py_ssize_t *, const Py_ssize_t *)
    {
        return *static_cast<T *>(data);
    }
};

} /* namespace detail */

/** Items in N dimensions, somewhere in an array. */
template <typename T, int N> class array_view {
    static_assert(N >= 1 && N <= PyTypedArray_MAX_NDIM,
                  "found a number of dimensions that is not supported, expected 1 to 8");
    typedef detail::element<T, N> element;

public:
    typedef typename element::type reference;   /**< T &, or a view with one dimension less */

    /** Goes along the first dimension. */
    class iterator {
    public:
        reference operator*() const { return element::at(at_, view_->shape_, view_->strides_); }
        iterator &operator++()
        {
            at_ += view_->strides_[0];
            index_++;
            return *this;
        }
        bool operator!=(const iterator &other) const { return index_ != other.index_; }
        bool operator==(const iterator &other) const { return index_ == other.index_; }

    private:
        friend class array_view;
        iterator(const array_view *view, Py_ssize_t index) : view_(view), at_((char *)view->data_), index_(index) {}
        const array_view *view_;
        char *at_;
        Py_ssize_t index_;
    };

    array_view(void *data, const Py_ssize_t *shape, const Py_ssize_t *strides)
        : data_(data), shape_(shape), strides_(strides) {}

    /** The address of the first item. */
    T *data() const { return static_cast<T *>(data_); }
    /** The length of a dimension. */
    Py_ssize_t shape(int dimension = 0) const { return shape_[dimension]; }
    /** From one index of a dimension to the next, in bytes. */
    Py_ssize_t stride(int dimension = 0) const { return strides_[dimension]; }

    /** The item, or the view of all items, with this first index. */
    reference operator[](Py_ssize_t i) const
    {
        return element::at((char *)data_ + i * strides_[0], shape_, strides_);
    }
    /** The item with these N indices. */
    template <typename... Index> T &operator()(Index... indices) const
    {
        static_assert(sizeof...(Index) == N, "found another number of indices than of dimensions");
        const Py_ssize_t all[] = {(Py_ssize_t)indices...};
        char *at = (char *)data_;
        for (int i = 0; i < N; i++) at += all[i] * strides_[i];
        return *(T *)(void *)at;
    }

    iterator begin() const { return iterator(this, 0); }
    iterator end() const { return iterator(this, shape_[0]); }

protected:
    void *data_;
    const Py_ssize_t *shape_, *strides_;
};

/** Tells a constructor to keep the memory, as PyTypedArray_Own() does. */
enum keep_t { keep };

/** A Python object's array, of N dimensions: see the top of this file. */
template <typename T, int N = 1> class array : public array_view<T, N> {
    typedef typename std::remove_const<T>::type item;

public:
    /** Asks `object` (borrowed) for its items; `flags` as PyTypedArray_Spec.flags.  Empty after a
       failure, with TypeError set.  Also empty for NULL, whose exception the caller has already set. */
    _Pycs_HIDDEN explicit array(PyObject *object, unsigned flags = 0) : array(object, flags, false) {}
    /** The same, and keeps the memory until the destructor. */
    _Pycs_HIDDEN array(PyObject *object, keep_t, unsigned flags = 0) : array(object, flags, true) {}
    array(const array &) = delete;
    array &operator=(const array &) = delete;
    ~array() { PyTypedArray_Clear(&held_); }

    /** Is there an array? */
    explicit operator bool() const noexcept { return held_.held != 0; }

    /** How many items there are, in all dimensions. */
    Py_ssize_t size() const noexcept { return held_.size; }

    /** The PyTypedArray behind it. */
    const PyTypedArray *get() const noexcept { return &held_; }

private:
    array(PyObject *object, unsigned flags, bool owns)
        : array_view<T, N>(nullptr, held_.shape, held_.strides), held_()
    {
        const PyTypedArray_Spec spec = PyTypedArray_MakeSpec(
            detail::item_code<item>::value, 8 * sizeof(item), N,
            flags | (std::is_const<T>::value ? 0u : PyTypedArray_WRITABLE));
        if (object != nullptr) {
            (void)(owns ? PyTypedArray_Own(&held_, object, &spec) : PyTypedArray_Init(&held_, object, &spec));
        }
        this->data_ = held_.data;
    }

    PyTypedArray held_;
};

} /* namespace customslots */

#endif /* Py_TYPEDARRAY_HPP */
