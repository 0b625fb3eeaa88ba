"""What every path through a function must hold, as formulas of z3: proved with invariants, or refuted by unrolling."""

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import z3

from context_graph.syntax_trees import syntax_tree
from context_graph.verification.subset import Function, Kind, OutsideSubset

__all__ = ["Obligation", "Proof", "prove"]

MAX_PATHS = 64
UNROLLED = 6
"""Rounds of a loop that are gone through one by one in the search for a counterexample."""

MAX_SHOWN_ELEMENTS = 8


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a kind; an optional one has `none`, a list has `length`."""

    kind: Kind
    term: Any = None
    none: Any = None
    length: Any = None


@dataclass(frozen=True, slots=True)
class State:
    """Where a path stands: its variables, and what is known on it."""

    names: dict[str, Value]
    known: tuple[Any, ...] = ()
    abstract: bool = False
    """Whether a loop on it was replaced by its invariants."""

    def bound(self, name: str, value: Value) -> "State":
        return replace(self, names=self.names | {name: value})

    def given(self, *facts: Any) -> "State":
        return replace(self, known=(*self.known, *facts))


@dataclass(frozen=True, slots=True)
class Obligation:
    """What must hold at a place of a path."""

    condition: str
    what: str
    state: State
    holds: Any


@dataclass(frozen=True, slots=True)
class Proof:
    """The outcome for one condition: Verified, Failed, Timeout or NotApplicable."""

    condition: str
    status: str
    detail: str


@dataclass
class Executor:
    """Goes through a function; with `unrolled` loops round by round, else by their invariants."""

    function: Function
    assertions: Sequence[tuple[str, ast.expr]]
    unrolled: bool
    obligations: list[Obligation] = field(default_factory=list)
    silent: int = 0
    fresh: int = 0
    start: State = field(default_factory=lambda: State({}))

    def run(self) -> list[Obligation]:
        state = State({})
        for name, kind in self.function.parameters:
            value, facts = self.unknown(kind, name)
            state = state.bound(name, value).given(*facts)
        self.start = state
        body = list(self.function.body)
        while body and isinstance(body[0], ast.Assert | ast.Expr):  # what it takes for granted
            first = body.pop(0)
            if isinstance(first, ast.Assert):
                state = state.given(self.truth(self.value(first.test, state), first))
            elif isinstance(first, ast.Expr) and not isinstance(first.value, ast.Constant):
                raise OutsideSubset("a statement without effect", first)
        if not _possible(state):
            raise OutsideSubset("what it takes for granted contradicts itself: no arguments are left")
        for end in self.block(body, state):
            self.returned(Value("none"), end, None)
        return self.obligations

    # Statements

    def block(self, statements: Sequence[ast.stmt], state: State) -> list[State]:
        states = [state]
        for statement in statements:
            states = [after for before in states for after in self.statement(statement, before)]
            if len(states) > MAX_PATHS:
                raise OutsideSubset(f"more than {MAX_PATHS} paths lead through it", statement)
        return states

    def statement(self, node: ast.stmt, state: State) -> list[State]:
        match node:
            case ast.Pass():
                return [state]
            case ast.Expr(value=ast.Constant()):
                return [state]
            case ast.Assign(targets=[target]):
                return [self.assigned(target, self.value(node.value, state), state, node)]
            case ast.AnnAssign(target=ast.Name() as target, value=ast.expr() as written):
                return [self.assigned(target, self.value(written, state), state, node)]
            case ast.AugAssign(target=target):
                operation = ast.copy_location(ast.BinOp(_loaded(target), node.op, node.value), node)
                return [self.assigned(target, self.value(operation, state), state, node)]
            case ast.If():
                test = self.truth(self.value(node.test, state), node)
                return [
                    *self.block(node.body, state.given(test)),
                    *self.block(node.orelse, state.given(z3.Not(test))),
                ]
            case ast.Assert():
                holds = self.truth(self.value(node.test, state), node)
                self.must("custom_assertions", f"assert {ast.unparse(node.test)}", node, state, holds)
                return [state.given(holds)]
            case ast.Return():
                value = Value("none") if node.value is None else self.value(node.value, state)
                self.returned(value, state, node)
                return []
            case ast.Raise():
                return []
            case ast.While(orelse=[]):
                return self.loop(node.test, node.body, state, node)
            case ast.For(target=ast.Name(), orelse=[]):
                return self.counted(node, state)
        raise OutsideSubset(f"{type(node).__name__} is not read", node)

    def assigned(self, target: ast.expr, value: Value, state: State, node: ast.stmt) -> State:
        if value.kind == "list":
            raise OutsideSubset("a list of two names is not read: a change to the one would be one to the other", node)
        if isinstance(target, ast.Name):
            before = state.names.get(target.id)
            if (
                before is not None
                and before.kind != value.kind
                and {before.kind, value.kind} <= {"int", "optional", "none"}
            ):
                value = _optional(value)
            return state.bound(target.id, value)
        if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
            if sum(kind == "list" for _, kind in self.function.parameters) > 1:
                raise OutsideSubset("of several lists none may be changed: two arguments may be one list", node)
            row, place = self.element(target, state)
            number = self.number(value, state, node)
            return state.bound(target.value.id, replace(row, term=z3.Store(row.term, place, number)))
        raise OutsideSubset(f"an assignment to {ast.unparse(target)} is not read", node)

    def returned(self, value: Value, state: State, node: ast.stmt | None) -> None:
        wanted = self.function.returns
        if wanted == "optional" and value.kind in ("int", "optional", "none"):
            fits: Any = z3.BoolVal(True)
        elif wanted == "int" and value.kind == "optional":
            fits, value = z3.Not(value.none), Value("int", value.term)
        elif wanted == "int" and value.kind == "bool":
            fits, value = z3.BoolVal(True), Value("int", z3.If(value.term, 1, 0))
        else:
            fits = z3.BoolVal(value.kind == wanted)
        at_end = "the end is reached without a return of" if node is None else "what is returned is"
        self.must("type_invariants", f"{at_end} {_spelt(wanted)}", node, state, fits)
        asked = State(self.start.names | {"result": value}, (*state.known, fits), state.abstract)
        for text, expression in self.assertions:
            holds = self.truth(self.value(expression, asked), expression)
            self.must("custom_assertions", text, node, asked, holds)

    def must(self, condition: str, what: str, node: ast.AST | None, state: State, holds: Any) -> None:
        if not self.silent:
            line = f"line {node.lineno}: " if node is not None and hasattr(node, "lineno") else ""
            self.obligations.append(Obligation(condition, f"{line}{what}", state, holds))

    # Loops

    def counted(self, node: ast.For, state: State) -> list[State]:
        """A loop over range() or over a list, as a loop with a counter."""
        self.fresh += 1
        place, end = f" place{self.fresh}", f" end{self.fresh}"
        match node.iter:
            case ast.Call(func=ast.Name(id="range"), args=args, keywords=[]) if 1 <= len(args) <= 3:
                step = args[2] if len(args) == 3 else ast.Constant(1)
                first, last = (ast.Constant(0), args[0]) if len(args) == 1 else (args[0], args[1])
                element: ast.expr = ast.Name(place, ast.Load())
            case ast.Name(id=name) if state.names.get(name, Value("none")).kind == "list":
                step, first = ast.Constant(1), ast.Constant(0)
                last = ast.Call(ast.Name("len", ast.Load()), [ast.Name(name, ast.Load())], [])
                element = ast.Subscript(ast.Name(name, ast.Load()), ast.Name(place, ast.Load()), ast.Load())
            case _:
                raise OutsideSubset(f"a loop over {ast.unparse(node.iter)} is not read", node)
        try:
            by = ast.literal_eval(step)
        except ValueError:
            by = None
        if not isinstance(by, int) or by == 0:
            raise OutsideSubset("the step of range() must be a number other than 0", node)
        order = ast.Lt() if by > 0 else ast.Gt()
        test = ast.Compare(ast.Name(place, ast.Load()), [order], [ast.Name(end, ast.Load())])
        onward = ast.BinOp(ast.Name(place, ast.Load()), ast.Add(), ast.Constant(by))
        body = [
            ast.Assign([ast.Name(node.target.id, ast.Store())], element),  # type: ignore[attr-defined]  # a Name
            *node.body,
            ast.Assign([ast.Name(place, ast.Store())], onward),
        ]
        for made in (test, *body):
            ast.copy_location(made, node)
            ast.fix_missing_locations(made)
        state = state.bound(place, Value("int", self.number(self.value(first, state), state, node)))
        state = state.bound(end, Value("int", self.number(self.value(last, state), state, node)))
        return self.loop(test, body, state, node)

    def loop(self, test: ast.expr, body: Sequence[ast.stmt], state: State, node: ast.stmt) -> list[State]:
        if any(isinstance(inner, ast.Break | ast.Continue) for part in body for inner in ast.walk(part)):
            raise OutsideSubset("break and continue are not read", node)
        return self.rounds(test, body, state, node) if self.unrolled else self.invariant(test, body, state, node)

    def rounds(self, test: ast.expr, body: Sequence[ast.stmt], state: State, node: ast.stmt) -> list[State]:
        states, ended = [state], []
        for _ in range(UNROLLED + 1):
            entered = []
            for before in states:
                holds = self.truth(self.value(test, before), node)
                ended.append(before.given(z3.Not(holds)))
                entered.append(before.given(holds))
            states = [after for before in entered for after in self.block(body, before) if _possible(after)]
            if len(states) + len(ended) > 4 * MAX_PATHS:
                break
        return [one for one in ended if _possible(one)]

    def invariant(self, test: ast.expr, body: Sequence[ast.stmt], state: State, node: ast.stmt) -> list[State]:
        changed = sorted(
            {
                inner.id
                for part in body
                for inner in ast.walk(part)
                if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store) and inner.id in state.names
            }
            | {
                inner.value.id
                for part in body
                for inner in ast.walk(part)
                if isinstance(inner, ast.Subscript)
                and isinstance(inner.ctx, ast.Store)
                and isinstance(inner.value, ast.Name)
            }
        )
        head = replace(state, abstract=True)
        for name in changed:
            before = state.names[name]
            value, facts = self.unknown(before.kind, f"{name}'")
            if before.kind == "list":  # elements are replaced, none comes or goes
                value, facts = replace(value, length=before.length), []
            head = head.bound(name, value).given(*facts)
        claims = [claim for claim in self.claims(test, body, state, changed) if self.entails(state, claim(state))]
        while True:  # Houdini: what one round does not keep is no invariant
            assumed = head.given(*(claim(head) for claim in claims))
            holds = self.quiet(lambda at: self.truth(self.value(test, at), node), assumed)
            ends = self.quiet(lambda at: self.block(body, at), assumed.given(holds))
            kept = [claim for claim in claims if all(self.entails(end, claim(end)) for end in ends)]
            if len(kept) == len(claims):
                break
            claims = kept
        holds = self.truth(self.value(test, assumed), node)
        inside = assumed.given(holds)
        ends = self.block(body, inside)
        self.terminates(test, inside, ends, state, node)
        return [assumed.given(z3.Not(holds))]

    def claims(
        self, test: ast.expr, body: Sequence[ast.stmt], entry: State, changed: Sequence[str]
    ) -> Iterator[Callable[[State], Any]]:
        """What may hold before every round: bounds of what changes, and what is asserted at the head of the body."""
        bounds = [ast.copy_location(ast.Constant(0), test), *_sides(test)]
        bounds += [
            ast.Call(ast.Name("len", ast.Load()), [ast.Name(name, ast.Load())], [])
            for name, value in entry.names.items()
            if value.kind == "list"
        ]
        for name in changed:
            if entry.names[name].kind != "int":
                continue
            first = entry.names[name].term
            yield lambda at, name=name, first=first: at.names[name].term >= first  # type: ignore[misc]
            yield lambda at, name=name, first=first: at.names[name].term <= first  # type: ignore[misc]
            for bound in bounds:
                for sign in (1, -1):
                    yield lambda at, name=name, bound=bound, sign=sign: self._beside(at, name, bound, sign)  # type: ignore[misc]
        for statement in body:
            if not isinstance(statement, ast.Assert):
                break
            yield lambda at, statement=statement: self.quiet(  # type: ignore[misc]
                lambda here: self.truth(self.value(statement.test, here), statement), at
            )

    def _beside(self, at: State, name: str, bound: ast.expr, sign: int) -> Any:
        try:
            value = self.quiet(lambda here: self.value(bound, here), at)
        except OutsideSubset:
            return z3.BoolVal(True)
        if value.kind != "int":
            return z3.BoolVal(True)
        own = at.names[name].term
        return own <= value.term if sign > 0 else own >= value.term

    def terminates(self, test: ast.expr, inside: State, ends: Sequence[State], entry: State, node: ast.stmt) -> None:
        """A quantity of the test that is at least 0 inside and falls with every round ends the loop."""
        for larger, smaller in _ranked(test):

            def rank(at: State, larger: ast.expr = larger, smaller: ast.expr = smaller) -> Any:
                terms = [self.quiet(lambda here, one=one: self.value(one, here), at) for one in (larger, smaller)]  # type: ignore[misc]
                return terms[0].term - terms[1].term if all(term.kind == "int" for term in terms) else None

            before = rank(inside)
            if before is None or not self.entails(inside, before >= 0):
                continue
            if all(self.entails(end, rank(end) < before) for end in ends):
                self.must("loop_termination", f"{ast.unparse(larger)} - {ast.unparse(smaller)} falls", node, inside,
                          z3.BoolVal(True))  # fmt: skip
                return
        leaves = any(isinstance(part, ast.Return | ast.Raise) for part in ast.walk(node))
        never = (
            ends
            and not leaves
            and all(
                self.entails(end, self.quiet(lambda at: self.truth(self.value(test, at), node), end)) for end in ends
            )
        )
        holds = self.quiet(lambda at: self.truth(self.value(test, at), node), entry)
        if never and _possible(entry.given(holds)) and not entry.abstract:
            self.must("loop_termination", "once entered, the loop never ends", node, entry, z3.Not(holds))
        else:
            self.must("loop_termination", "no quantity of its test was found that falls with every round", node, inside,
                      z3.BoolVal(False))  # fmt: skip

    def entails(self, state: State, holds: Any) -> bool:
        solver = z3.Solver()
        solver.set("timeout", 1_000)
        solver.add(*state.known, z3.Not(holds))
        return bool(solver.check() == z3.unsat)

    def quiet(self, read: Callable[[State], Any], state: State) -> Any:
        self.silent += 1
        try:
            return read(state)
        finally:
            self.silent -= 1

    # Expressions

    def value(self, node: ast.expr, state: State) -> Value:
        match node:
            case ast.Constant(value=bool() as truth):
                return Value("bool", z3.BoolVal(truth))
            case ast.Constant(value=int() as number):
                return Value("int", z3.IntVal(number))
            case ast.Constant(value=None):
                return Value("none")
            case ast.Name(id=name):
                if name not in state.names:
                    raise OutsideSubset(f"{name} has no value on every path here", node)
                return state.names[name]
            case ast.UnaryOp(op=ast.USub()):
                return Value("int", -self.number(self.value(node.operand, state), state, node))
            case ast.UnaryOp(op=ast.Not()):
                return Value("bool", z3.Not(self.truth(self.value(node.operand, state), node)))
            case ast.BinOp():
                return Value("int", self.arithmetic(node, state))
            case ast.BoolOp():
                return self.joined(node, state)
            case ast.Compare():
                return Value("bool", self.compared(node, state))
            case ast.IfExp():
                test = self.truth(self.value(node.test, state), node)
                one, other = (
                    self.value(node.body, state.given(test)),
                    self.value(node.orelse, state.given(z3.Not(test))),
                )
                return _either(test, one, other, node)
            case ast.Subscript():
                row, place = self.element(node, state)
                return Value("int", z3.Select(row.term, place))
            case ast.Call(func=ast.Name(id="len"), args=[inner], keywords=[]):
                row = self.value(inner, state)
                if row.kind == "list":
                    return Value("int", row.length)
            case ast.Call(func=ast.Name(id="abs"), args=[inner], keywords=[]):
                number = self.number(self.value(inner, state), state, node)
                return Value("int", z3.If(number < 0, -number, number))
            case ast.Call(func=ast.Name(id="min" | "max" as which), args=[left, right], keywords=[]):
                a, b = (self.number(self.value(one, state), state, node) for one in (left, right))
                return Value("int", z3.If((a < b) if which == "min" else (a > b), a, b))
        raise OutsideSubset(f"{ast.unparse(node)[:60]} is not read", node)

    def arithmetic(self, node: ast.BinOp, state: State) -> Any:
        a, b = (self.number(self.value(one, state), state, node) for one in (node.left, node.right))
        match node.op:
            case ast.Add():
                return a + b
            case ast.Sub():
                return a - b
            case ast.Mult():
                return a * b
            case ast.FloorDiv() | ast.Mod():
                self.must("bounds", f"{ast.unparse(node.right)} is not 0 in {ast.unparse(node)}", node, state, b != 0)
                floor = z3.If(b > 0, a / b, (-a) / (-b))  # z3 rounds down where the divisor is positive
                return floor if isinstance(node.op, ast.FloorDiv) else a - b * floor
        raise OutsideSubset(f"the operation in {ast.unparse(node)[:60]} is not read", node)

    def joined(self, node: ast.BoolOp, state: State) -> Value:
        terms: list[Any] = []
        for part in node.values:  # each is read only where those before it let it be
            value = self.value(part, state)
            if value.kind != "bool":
                raise OutsideSubset("and, or join truth values alone here", node)
            terms.append(value.term)
            state = state.given(value.term if isinstance(node.op, ast.And) else z3.Not(value.term))
        return Value("bool", z3.And(*terms) if isinstance(node.op, ast.And) else z3.Or(*terms))

    def compared(self, node: ast.Compare, state: State) -> Any:
        terms, left = [], node.left
        for operation, right in zip(node.ops, node.comparators, strict=True):
            one, other = self.value(left, state), self.value(right, state)
            if isinstance(operation, ast.Is | ast.IsNot | ast.Eq | ast.NotEq) and "none" in (one.kind, other.kind):
                same = _is_none(one if other.kind == "none" else other)
                terms.append(same if isinstance(operation, ast.Is | ast.Eq) else z3.Not(same))
            elif one.kind == other.kind == "bool" and isinstance(operation, ast.Eq | ast.NotEq | ast.Is | ast.IsNot):
                same = one.term == other.term
                terms.append(same if isinstance(operation, ast.Eq | ast.Is) else z3.Not(same))
            else:
                a, b = self.number(one, state, node), self.number(other, state, node)
                orders: dict[type[ast.cmpop], Any] = {
                    ast.Lt: a < b, ast.LtE: a <= b, ast.Gt: a > b, ast.GtE: a >= b, ast.Eq: a == b, ast.NotEq: a != b,
                }  # fmt: skip
                if type(operation) not in orders:
                    raise OutsideSubset(f"the comparison {ast.unparse(node)[:60]} is not read", node)
                terms.append(orders[type(operation)])
            left = right
        return z3.And(*terms) if len(terms) > 1 else terms[0]

    def element(self, node: ast.Subscript, state: State) -> tuple[Value, Any]:
        """The list and the place of an element, which must be in it; negative places count from the end."""
        row = self.value(node.value, state)
        if row.kind != "list" or isinstance(node.slice, ast.Slice):
            raise OutsideSubset(f"{ast.unparse(node)[:60]} is no element of a list of integers", node)
        place = self.number(self.value(node.slice, state), state, node)
        inside = z3.And(place >= -row.length, place < row.length)
        self.must("bounds", f"the place in {ast.unparse(node)} is in the list", node, state, inside)
        return row, z3.If(place < 0, place + row.length, place)

    def number(self, value: Value, state: State, node: ast.AST) -> Any:
        """A value as a number; one that may be None must not be."""
        if value.kind == "int":
            return value.term
        if value.kind == "optional":
            self.must(
                "null_safety", f"a value is not None in {ast.unparse(node)[:60]}", node, state, z3.Not(value.none)
            )
            return value.term
        if value.kind == "none":
            self.must("null_safety", f"None is no number in {ast.unparse(node)[:60]}", node, state, z3.BoolVal(False))
            return z3.IntVal(0)
        raise OutsideSubset(f"{_spelt(value.kind)} is used as a number in {ast.unparse(node)[:60]}", node)

    def truth(self, value: Value, node: ast.AST) -> Any:
        if value.kind != "bool":
            raise OutsideSubset("a condition must be a truth value; write the comparison out", node)
        return value.term

    def unknown(self, kind: Kind, name: str) -> tuple[Value, list[Any]]:
        self.fresh += 1
        label = f"{name}#{self.fresh}"
        if kind == "int":
            return Value("int", z3.Int(label)), []
        if kind == "bool":
            return Value("bool", z3.Bool(label)), []
        if kind == "optional":
            return Value("optional", z3.Int(label), none=z3.Bool(f"{label} is None")), []
        if kind == "list":
            length = z3.Int(f"len {label}")
            return Value("list", z3.Array(label, z3.IntSort(), z3.IntSort()), length=length), [length >= 0]
        return Value("none"), []


def prove(function: Function, assertions: Sequence[tuple[str, ast.expr]], conditions: Sequence[str]) -> list[Proof]:
    """Prove each condition with invariants; what is not proved is looked for among the first rounds of each loop."""
    executor = Executor(function, assertions, unrolled=False)
    obligations = executor.run()
    proofs = []
    refutable: list[tuple[Obligation, list[Obligation], Executor]] | None = None
    for condition in conditions:
        own = [one for one in obligations if one.condition == condition]
        open_ones = [one for one in own if not executor.entails(_reached(one, obligations), one.holds)]
        if not open_ones:
            proofs.append(Proof(condition, "Verified", f"{function.name}: {len(own)} checks hold on every path"))
            continue
        certain = [(one, obligations, executor) for one in open_ones if not one.state.abstract]
        if not certain and condition != "loop_termination":
            if refutable is None:
                unrolled = Executor(function, assertions, unrolled=True)
                every = unrolled.run()
                refutable = [(one, every, unrolled) for one in every]
            certain = [entry for entry in refutable if entry[0].condition == condition]
        example = next((text for entry in certain if (text := _counterexample(*entry))), None)
        if example:
            proofs.append(Proof(condition, "Failed", f"{function.name}: {example}"))
        else:
            reason = f"{function.name}: neither proved nor refuted: {open_ones[0].what}"
            hint = (
                "" if condition == "loop_termination" else "; an assert at the head of the loop may say what it keeps"
            )
            proofs.append(Proof(condition, "NotApplicable", f"{reason}{hint}"))
    return proofs


def _reached(one: Obligation, obligations: Sequence[Obligation]) -> State:
    """The path to an obligation where all that had to hold on it before does: the first error ends a run."""
    path, facts = one.state.known, []
    for before in obligations:
        if before is one:
            break
        if before.condition in ("loop_termination", "type_invariants"):
            continue  # a run goes on without them
        length = len(before.state.known)
        if length <= len(path) and all(a is b for a, b in zip(before.state.known, path, strict=False)):
            facts.append(before.holds)
    return one.state.given(*facts)


def _counterexample(one: Obligation, obligations: Sequence[Obligation], by: Executor) -> str | None:
    """Arguments for which something does not hold, in words."""
    solver = z3.Solver()
    solver.set("timeout", 2_000)
    solver.add(*_reached(one, obligations).known, z3.Not(one.holds))
    if solver.check() != z3.sat:
        return None
    model = solver.model()
    shown = ", ".join(f"{name}={_shown(model, by.start.names[name])}" for name, _ in by.function.parameters)
    return f"not so: {one.what}" + (f"; for {shown}" if shown else "")


def _shown(model: Any, value: Value) -> str:
    def number(term: Any) -> int:
        return int(model.eval(term, model_completion=True).as_long())

    if value.kind == "bool":
        return str(z3.is_true(model.eval(value.term, model_completion=True)))
    if value.kind == "optional" and z3.is_true(model.eval(value.none, model_completion=True)):
        return "None"
    if value.kind == "list":
        length = number(value.length)
        elements = [str(number(z3.Select(value.term, place))) for place in range(min(length, MAX_SHOWN_ELEMENTS))]
        return f"[{', '.join(elements)}{', ...' if length > MAX_SHOWN_ELEMENTS else ''}]"
    return str(number(value.term)) if value.kind != "none" else "None"


def _possible(state: State) -> bool:
    solver = z3.Solver()
    solver.set("timeout", 1_000)
    solver.add(*state.known)
    return bool(solver.check() != z3.unsat)


def _is_none(value: Value) -> Any:
    return value.none if value.kind == "optional" else z3.BoolVal(value.kind == "none")


def _optional(value: Value) -> Value:
    if value.kind == "optional":
        return value
    term = z3.IntVal(0) if value.kind == "none" else value.term
    return Value("optional", term, none=z3.BoolVal(value.kind == "none"))


def _either(test: Any, one: Value, other: Value, node: ast.AST) -> Value:
    if one.kind == other.kind and one.kind in ("int", "bool"):
        return Value(one.kind, z3.If(test, one.term, other.term))
    if {one.kind, other.kind} <= {"int", "optional", "none"}:
        a, b = _optional(one), _optional(other)
        return Value("optional", z3.If(test, a.term, b.term), none=z3.If(test, a.none, b.none))
    raise OutsideSubset("both ways of a condition must be of one kind", node)


def _loaded(target: ast.expr) -> ast.expr:
    read: ast.expr = syntax_tree(ast.unparse(target), "eval").body
    ast.copy_location(read, target)
    return ast.fix_missing_locations(read)


def _sides(test: ast.expr) -> list[ast.expr]:
    return [side for pair in _ranked(test) for side in pair]


def _ranked(test: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    """Of each comparison of a test the larger and the smaller side; both ways of an inequality."""
    pairs: list[tuple[ast.expr, ast.expr]] = []
    for node in ast.walk(test):
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            left, right = node.left, node.comparators[0]
            if isinstance(node.ops[0], ast.Lt | ast.LtE | ast.NotEq):
                pairs.append((right, left))
            if isinstance(node.ops[0], ast.Gt | ast.GtE | ast.NotEq):
                pairs.append((left, right))
    return pairs


def _spelt(kind: Kind) -> str:
    return {"int": "an int", "bool": "a bool", "list": "a list", "optional": "an int or None", "none": "None"}[kind]
