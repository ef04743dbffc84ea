#!/usr/bin/env python3
"""Proves the two reductions for every input of their contracts, in each form that the crate has.

A claim is written in SMT-LIB as the search for a counterexample: `unsat` proves it, `sat` refutes
it. docs/reduction.md says in words what each claim is for and how they add up. Each is given to two
solvers, which are independent programs. False claims stand among the true ones and must be refuted,
so that a mistake in the way of asking does not pass for a proof.

The solvers are the packages z3-solver, bitwuzla and cvc5; `cargo xtask prove` installs them.
"""

import multiprocessing
import sys
import time

Q = 2**23 - 2**13 + 1
QINV = pow(Q, -1, 2**32)
LIMIT = 2**31 * Q  # the contract: -LIMIT <= a < LIMIT
SECONDS = 120  # for a claim; all take less than five


def number(value, bits):
    return f"(_ bv{value % 2**bits} {bits})"


def low(term):
    return f"((_ extract 31 0) {term})"


def high(term):
    return f"((_ extract 63 32) {term})"


def wide(term):
    """A signed word of 32 bits as one of 64."""
    return f"((_ sign_extend 32) {term})"


def product(x, y):
    """The signed product of two words, exact."""
    return f"(bvmul {wide(x)} {wide(y)})"


def between(least, term, most, bits=64):
    return f"(and (bvsle {number(least, bits)} {term}) (bvsle {term} {number(most, bits)}))"


def doubling_high(x, y):
    """NEON's sqdmulh: the high half of twice the product, saturated."""
    most = number(2**31 - 1, 32)
    least = number(-(2**31), 32)
    doubled = f"(bvadd {product(x, y)} {product(x, y)})"
    saturates = f"(and (= {x} {least}) (= {y} {least}))"
    return f"(ite {saturates} {most} {high(doubled)})"


def halving_sub(x, y):
    """NEON's shsub: half the difference, without overflow."""
    return f"((_ extract 32 1) (bvsub ((_ sign_extend 1) {x}) ((_ sign_extend 1) {y})))"


def equal(x, y):
    return f"(= {x} {y})"


def times(x, y):
    return f"(bvmul {x} {y})"


def twice(x):
    return f"(bvadd {x} {x})"


def minus(x, y):
    return f"(bvsub {x} {y})"


def far(term):
    """A double word as one of 128 bits."""
    return f"((_ sign_extend 64) {term})"


def declare(name, bits):
    return f"(declare-const {name} (_ BitVec {bits}))"


Q32, QINV32 = number(Q, 32), number(QINV, 32)
A, P, U = (declare(name, 64) for name in "apu")
B, T, X = (declare(name, 32) for name in "btx")
IN_CONTRACT = between(-LIMIT, "a", LIMIT - 1)
# What is known of u, which stands for t*q: its range, and that its low half is that of a.
LIKE_TQ = between(-LIMIT, "u", LIMIT - Q)
SAME_LOW = equal(low("a"), low("u"))
D = minus("a", "u")
R = f"(bvashr {D} {number(32, 64)})"
# src/proofs/interval.rs, `mont_reduce`.
PLACE_HIGH = f"(bvashr (bvadd a {number(LIMIT, 64)}) {number(32, 64)})"
PLACE_LOW = f"(bvneg (bvashr {minus(number(LIMIT - Q, 64), 'a')} {number(32, 64)}))"
TQ = product("t", Q32)
XB = product("x", "b")
NEON_R = halving_sub(high(twice("a")), high(twice("u")))


# Barrett's product x*b of any word and a constant b with its quotient c = 2*h: e is the low half of
# x*c, and v stands for x*(b * 2^32 - c*q), in which the second factor is no more than q.
C, H, E, V = declare("c", 32), declare("h", 32), declare("e", 64), declare("v", 64)
XC = product("x", "c")
IS_HALF = between(-(2**30), "h", 2**30 - 1, 32)
LIKE_XD = between(-LIMIT, "v", LIMIT)
LIKE_E = between(0, "e", 2**32 - 1)
VEQ = f"(bvadd v {times('e', number(Q, 64))})"
R2 = f"(bvashr {VEQ} {number(32, 64)})"
RING = [declare(name, 128) for name in ("X", "B", "C", "E")]
SHIFTED, Q128 = number(2**32, 128), number(Q, 128)


def low_halves_agree(qinv):
    return equal(low(product(times(low("a"), number(qinv, 32)), Q32)), low("a"))


# Name, what is true: "proved" or "refuted", solvers, declarations, assumptions, claim.
CLAIMS = [
    # The steps of the argument.
    ("the low halves of t*q and a agree",
     "proved", "bitwuzla z3", [A], [], low_halves_agree(QINV)),
    ("t*q is in [-2^31 q, (2^31 - 1) q]",
     "proved", "bitwuzla cvc5", [T], [], between(-LIMIT, TQ, LIMIT - Q)),
    ("a - t*q needs no more than 64 bits",
     "proved", "bitwuzla cvc5", [A, U], [IN_CONTRACT, LIKE_TQ],
     equal(far(D), minus(far("a"), far("u")))),
    ("r * 2^32 = a - t*q, and -q < r < q",
     "proved", "bitwuzla z3", [A, U], [IN_CONTRACT, LIKE_TQ, SAME_LOW],
     f"(and {equal(f'(bvshl {R} {number(32, 64)})', D)} {between(1 - Q, R, Q - 1)})"),
    ("r is the high half of a - t*q",
     "proved", "bitwuzla z3", [A, U], [IN_CONTRACT, LIKE_TQ, SAME_LOW],
     equal(wide(high(D)), R)),
    ("r is where the proof by intervals puts it",
     "proved", "bitwuzla cvc5", [A, U], [IN_CONTRACT, LIKE_TQ, SAME_LOW],
     f"(and (bvsle {R} {PLACE_HIGH}) (bvsle {PLACE_LOW} {R}))"),
    # t by the companion of a constant factor, in mont_mul.
    ("x * (b * qinv) is the t of the product x*b",
     "proved", "bitwuzla z3", [X, B], [],
     equal(times("x", times("b", QINV32)), times(low(XB), QINV32))),
    # The forms of the instruction sets.
    ("AVX2: the difference of the high halves is the high half of the difference",
     "proved", "bitwuzla z3", [A, U], [SAME_LOW],
     equal(minus(high("a"), high("u")), high(D))),
    ("AVX2: t from a product of 64 bits, of which the next reads the low half",
     "proved", "bitwuzla z3", [A], [],
     equal(low(product(low("a"), QINV32)), times(low("a"), QINV32))),
    ("NEON: sqdmulh is the high half of the doubled product x*b, unsaturated",
     "proved", "bitwuzla cvc5", [X, B, P],
     [equal("p", XB), between(-LIMIT, "p", LIMIT - 1)],
     equal(doubling_high("x", "b"), high(twice("p")))),
    ("NEON: and that of t*q",
     "proved", "bitwuzla z3", [T], [], equal(doubling_high("t", Q32), high(twice(TQ)))),
    ("NEON: half the difference of those is the high half of the difference",
     "proved", "bitwuzla cvc5", [A, U], [IN_CONTRACT, LIKE_TQ, SAME_LOW],
     equal(NEON_R, high(D))),
    # Barrett's product.
    ("x*c is t * 2^32 + e",
     "proved", "bitwuzla z3", [P], [],
     equal("p", f"(bvadd {times(wide(high('p')), number(2**32, 64))} "
                f"((_ zero_extend 32) {low('p')}))")),
    ("(x*b - t*q) * 2^32 = x*(b * 2^32 - c*q) + e*q, if t * 2^32 = x*c - e",
     "proved", "bitwuzla z3", RING, [],
     equal(minus(times(times("X", "B"), SHIFTED), times(minus(times("X", "C"), "E"), Q128)),
           f"(bvadd {times('X', minus(times('B', SHIFTED), times('C', Q128)))} "
           f"{times('E', Q128)})")),
    ("-q/2 <= r < 3 q/2",
     "proved", "bitwuzla z3", [V, E], [LIKE_XD, LIKE_E], between(-Q // 2, R2, 3 * Q // 2)),
    ("r is the difference of the low halves of x*b and t*q",
     "proved", "bitwuzla z3", [X, B, T], [],
     equal(low(minus(XB, TQ)), minus(times("x", "b"), times("t", Q32)))),
    ("NEON: half the quotient, doubled in 64 bits, is the quotient",
     "proved", "bitwuzla z3", [H], [IS_HALF], equal(twice(wide("h")), wide(twice("h")))),
    ("NEON: a factor may be doubled, or the product",
     "proved", "bitwuzla z3", [A, P], [], equal(twice(times("a", "p")), times("a", twice("p")))),
    ("NEON: sqdmulh of half the quotient is the high half of the doubled product, unsaturated",
     "proved", "bitwuzla z3", [X, H, P], [IS_HALF, equal("p", product("x", "h"))],
     equal(doubling_high("x", "h"), high(twice("p")))),
    # False claims.
    ("FALSE: r < q for a = 2^31 q as well",
     "refuted", "bitwuzla z3", [A, U],
     [between(-LIMIT, "a", LIMIT), LIKE_TQ, SAME_LOW], between(1 - Q, R, Q - 1)),
    ("FALSE: the low halves agree for another qinv",
     "refuted", "bitwuzla z3", [A], [], low_halves_agree(QINV + 2)),
    ("FALSE: AVX2's form with different low halves",
     "refuted", "bitwuzla z3", [A, U], [IN_CONTRACT, LIKE_TQ],
     equal(minus(high("a"), high("u")), high(D))),
    ("FALSE: NEON's form with different low halves",
     "refuted", "bitwuzla z3", [A, U], [IN_CONTRACT, LIKE_TQ], equal(NEON_R, high(D))),
    ("FALSE: -q/2 < r",
     "refuted", "bitwuzla z3", [V, E], [LIKE_XD, LIKE_E],
     between(1 - Q // 2, R2, 3 * Q // 2)),
    ("FALSE: r < q",
     "refuted", "bitwuzla z3", [V, E], [LIKE_XD, LIKE_E], between(-Q // 2, R2, Q - 1)),
    ("FALSE: sqdmulh of a quotient is the high half of x*c",
     "refuted", "bitwuzla z3", [X, C], [], equal(doubling_high("x", "c"), high(XC))),
    ("FALSE: sqdmulh never saturates",
     "refuted", "bitwuzla cvc5", [X, B], [],
     equal(doubling_high("x", "b"), high(twice(XB)))),
]


def script(declarations, assumptions, claim):
    asserted = "".join(f"(assert {term})\n" for term in [*assumptions, f"(not {claim})"])
    return "(set-logic QF_BV)\n" + "\n".join(declarations) + "\n" + asserted


def ask_z3(text):
    import z3

    solver = z3.Solver()
    solver.from_string(text)
    return str(solver.check())


def ask_bitwuzla(text):
    import bitwuzla

    parser = bitwuzla.Parser(bitwuzla.TermManager(), bitwuzla.Options())
    parser.parse(text, True, False)
    verdict = parser.bitwuzla().check_sat()
    return {bitwuzla.Result.SAT: "sat", bitwuzla.Result.UNSAT: "unsat"}.get(verdict, "unknown")


def ask_cvc5(text):
    import cvc5

    solver = cvc5.Solver(cvc5.TermManager())
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text + "(check-sat)\n", "claim")
    answer = ""
    while not (command := parser.nextCommand()).isNull():
        answer += command.invoke(solver, parser.getSymbolManager())
    return answer.strip()


ASK = {"z3": ask_z3, "bitwuzla": ask_bitwuzla, "cvc5": ask_cvc5}


def ask(solver, text, answers):
    answers.put(ASK[solver](text))


def answer_of(solver, text):
    """The solver runs in a process of its own, which ends when its time does."""
    answers = multiprocessing.Queue()
    process = multiprocessing.Process(target=ask, args=(solver, text, answers), daemon=True)
    process.start()
    process.join(SECONDS)
    if process.is_alive():
        process.terminate()
        return "out of time"
    return answers.get() if process.exitcode == 0 else f"exit code {process.exitcode}"


def main():
    # The one value that the contract excludes, in plain integers: t is -2^31 there, and r is q.
    t = (LIMIT * QINV + 2**31) % 2**32 - 2**31
    assert t == -(2**31) and LIMIT - t * Q == Q * 2**32
    wrong = 0
    for name, truth, solvers, *question in CLAIMS:
        for solver in solvers.split():
            begin = time.monotonic()
            answer = answer_of(solver, script(*question))
            right = answer == {"proved": "unsat", "refuted": "sat"}[truth]
            wrong += not right
            verdict = truth if right else f"WRONG ({answer})"
            print(f"{verdict:8} {solver:9} {time.monotonic() - begin:5.1f} s  {name}", flush=True)
    if wrong:
        sys.exit(f"{wrong} answers are not as they should be")
    proofs = sum(truth == "proved" for _, truth, *_ in CLAIMS)
    print(f"{proofs} claims proved, {len(CLAIMS) - proofs} false claims refuted")


if __name__ == "__main__":
    main()
