// Named exceptions of the border; each has its Python class in the module.
#pragma once

#include <pybind11/pybind11.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace kingsbridge::bindings {

namespace py = pybind11;

struct IllegalActionError : std::invalid_argument {
  using invalid_argument::invalid_argument;
};
struct ParseError : std::invalid_argument {
  using invalid_argument::invalid_argument;
};
struct OptionError : std::invalid_argument {
  using invalid_argument::invalid_argument;
};
struct UnknownGameError : std::out_of_range {
  using out_of_range::out_of_range;
};
struct SearchRunningError : std::runtime_error {
  using runtime_error::runtime_error;
};

// A view from outside breaks a rule; becomes Python's ViewError.
class ViewError : public std::invalid_argument {
 public:
  ViewError(std::string field, std::string rule)
      : std::invalid_argument(field + ": " + rule), field_(std::move(field)), rule_(std::move(rule)) {}
  const std::string& field() const { return field_; }
  const std::string& rule() const { return rule_; }

 private:
  std::string field_, rule_;
};

inline void bind_errors(py::module_& m) {
  py::register_exception<IllegalActionError>(m, "IllegalActionError", PyExc_ValueError);
  py::register_exception<ParseError>(m, "ParseError", PyExc_ValueError);
  py::register_exception<OptionError>(m, "OptionError", PyExc_ValueError);
  py::register_exception<UnknownGameError>(m, "UnknownGameError", PyExc_LookupError);
  py::register_exception<SearchRunningError>(m, "SearchRunningError", PyExc_RuntimeError);
  // ViewError carries field and rule beside its message: as arguments, so that it pickles, and by name.
  static PYBIND11_CONSTINIT py::gil_safe_call_once_and_store<py::object> view_error;
  view_error.call_once_and_store_result([&]() -> py::object { return py::exception<ViewError>(m, "ViewError", PyExc_ValueError); });
  const py::object property = py::module_::import("builtins").attr("property");
  const auto argument = [&](const char* name, std::size_t index) {
    return property(
        py::cpp_function([index](const py::object& self) -> py::object { return self.attr("args")[py::int_(index)]; }, py::name(name)));
  };
  py::object view_class = view_error.get_stored();
  view_class.attr("field") = argument("field", 1);
  view_class.attr("rule") = argument("rule", 2);
  view_class.attr("__str__") = py::cpp_function([](const py::object& self) { return py::str(self.attr("args")[py::int_(0)]); },
                                                py::name("__str__"), py::is_method(view_class));
  py::register_exception_translator([](std::exception_ptr p) {
    try {
      if (p) std::rethrow_exception(p);
    } catch (const ViewError& error) {
      py::set_error(view_error.get_stored(), py::make_tuple(error.what(), error.field(), error.rule()));
    }
  });
}

}  // namespace kingsbridge::bindings
