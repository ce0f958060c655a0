// Writing numbers, and reading them from fields.
"use strict";

const NUMBER = new Intl.NumberFormat("en");

/** Digits, with _ or spaces between them or with a comma before every three: as on the command line. */
const TYPED = /^[+-]?(\d{1,3}(,\d{3})+|\d+([_\s]+\d+)*)(\.\d+)?(e[+-]?\d{1,4})?$/i;

function number(value) {
  return NUMBER.format(value);
}

function counted(value, noun) {
  return `${number(value)} ${noun}${value === 1 ? "" : "s"}`;
}

/** The whole number that a text such as 100000, 100,000, 1e5 or 1.5e3 stands for; otherwise NaN. */
function wholeNumber(text) {
  const value = TYPED.test(text.trim()) ? Number(text.replace(/[,_\s]/g, "")) : NaN;
  return Math.floor(value) === value ? value : NaN;
}
