"""An invented deposit ledger: departments of invented teams, deposits they took, and the contracts that followed.

No number here was observed anywhere. The ledger is a pure function of the plan below, so every rebuild gives the same rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

VALID, REFUNDED, VOID = "有效", "已退", "作废"
NEW, SUPPLEMENT, RENEWAL = "新签", "补签", "续费"
QUARTER_START, QUARTER_END = date(2026, 1, 1), date(2026, 3, 31)
SIGNING_DAYS = 30


class Department(NamedTuple):
    dept_id: int
    name: str
    zone: str
    #: Valid deposits of the first quarter that led to a contract within 30 days, later, or never.
    signed: int
    late: int
    unsigned: int
    #: Deposits of the quarter that were paid back, or that were entered by mistake.
    refunded: int
    void: int
    #: Contracts that supplement one that was signed for the same deposit.
    supplements: int
    #: Contracts that another department signed (its id), of those within 30 days.
    signed_elsewhere: int
    elsewhere: int
    #: Valid deposits just outside of the quarter.
    outside: int


DEPARTMENTS = (
    Department(101, "宁波一部", "江南战区", 18, 1, 21, 3, 1, 1, 0, 0, 5),
    Department(102, "宁波二部", "江南战区", 21, 2, 12, 2, 1, 2, 0, 0, 4),
    Department(103, "嘉兴咨询部", "江南战区", 9, 1, 15, 3, 0, 0, 0, 0, 3),
    Department(201, "佛山一部", "岭南战区", 19, 4, 15, 2, 2, 1, 0, 0, 6),
    Department(202, "珠海咨询部", "岭南战区", 14, 2, 6, 1, 0, 1, 0, 0, 3),
    Department(203, "中山二部", "岭南战区", 13, 3, 14, 2, 1, 0, 0, 0, 4),
    Department(301, "成都一部", "巴蜀战区", 20, 1, 23, 2, 1, 0, 0, 0, 5),
    Department(302, "成都三部", "巴蜀战区", 15, 0, 13, 1, 1, 1, 0, 0, 4),
    Department(303, "绵阳咨询部", "巴蜀战区", 5, 1, 14, 1, 0, 0, 0, 0, 2),
    Department(401, "西安二部", "关中战区", 17, 0, 19, 2, 1, 4, 0, 0, 4),
    Department(402, "宝鸡咨询部", "关中战区", 4, 0, 11, 1, 0, 2, 0, 0, 2),
    Department(501, "长沙咨询部", "湘江战区", 15, 1, 8, 8, 1, 1, 3, 102, 5),
    Department(502, "株洲一部", "湘江战区", 6, 0, 10, 5, 1, 0, 1, 103, 2),
    Department(601, "沈阳一部", "辽海战区", 0, 0, 0, 0, 0, 0, 0, 0, 0),
    Department(602, "营口咨询部", "辽海战区", 0, 0, 0, 0, 0, 0, 0, 0, 0),
)


@dataclass
class Deposit:
    dept_id: int
    paid_on: date
    booked_on: date
    amount: int
    status: str
    deposit_no: str = ""


@dataclass
class Contract:
    deposit: Deposit | None
    dept_id: int
    signed_on: date
    amount: int
    kind: str
    contract_no: str = ""


class Ledger(NamedTuple):
    deposits: list[Deposit]
    contracts: list[Contract]


class Dice:
    """A small generator of our own (Lehmer, modulus 2**31 - 1), so that no library's random numbers decide the data."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def between(self, low: int, high: int) -> int:
        self.state = self.state * 48271 % 2147483647
        return low + self.state % (high - low + 1)


def make_ledger() -> Ledger:
    dice = Dice(20260401)
    ledger = Ledger([], [])
    for department in DEPARTMENTS:
        fill(department, ledger, dice)
    for number in range(14):  # contracts without a deposit
        department = DEPARTMENTS[dice.between(0, len(DEPARTMENTS) - 1)]
        signed_on = QUARTER_START + timedelta(days=dice.between(0, 120))
        ledger.contracts.append(Contract(None, department.dept_id, signed_on, contract_amount(dice), NEW if number % 3 else RENEWAL))
    ledger.deposits.sort(key=lambda deposit: (deposit.paid_on, deposit.dept_id, deposit.amount, deposit.booked_on))
    for number, deposit in enumerate(ledger.deposits, 1):
        deposit.deposit_no = f"D{number:05d}"
    ledger.contracts.sort(key=lambda contract: (contract.signed_on, contract.dept_id, contract.amount))
    for number, contract in enumerate(ledger.contracts, 1):
        contract.contract_no = f"HT{number:05d}"
    return ledger


def fill(department: Department, ledger: Ledger, dice: Dice) -> None:
    for number in range(department.signed):
        deposit = take_deposit(department, in_quarter(dice), VALID, ledger, dice)
        days = SIGNING_DAYS if number % 7 == 3 else dice.between(1, SIGNING_DAYS)
        signer = department.elsewhere if number < department.signed_elsewhere else department.dept_id
        sign(deposit, signer, days, NEW, ledger, dice)
        if number < department.supplements:
            sign(deposit, signer, days + dice.between(2, 20), SUPPLEMENT, ledger, dice)
    for _ in range(department.late):
        deposit = take_deposit(department, in_quarter(dice), VALID, ledger, dice)
        sign(deposit, department.dept_id, dice.between(SIGNING_DAYS + 1, SIGNING_DAYS + 25), NEW, ledger, dice)
    for status, count in ((VALID, department.unsigned), (REFUNDED, department.refunded), (VOID, department.void)):
        for _ in range(count):
            take_deposit(department, in_quarter(dice), status, ledger, dice)
    for number in range(department.outside):
        before = QUARTER_START - timedelta(days=dice.between(1, 12))
        after = QUARTER_END + timedelta(days=dice.between(1, 15))
        deposit = take_deposit(department, before if number % 2 else after, VALID, ledger, dice)
        if number % 3:
            sign(deposit, department.dept_id, dice.between(1, SIGNING_DAYS), NEW, ledger, dice)


def in_quarter(dice: Dice) -> date:
    return QUARTER_START + timedelta(days=dice.between(0, (QUARTER_END - QUARTER_START).days))


def take_deposit(department: Department, paid_on: date, status: str, ledger: Ledger, dice: Dice) -> Deposit:
    amount = (500, 1000, 2000, 3000, 5000)[dice.between(0, 4)]
    deposit = Deposit(department.dept_id, paid_on, paid_on + timedelta(days=dice.between(0, 6)), amount, status)
    ledger.deposits.append(deposit)
    return deposit


def sign(deposit: Deposit, dept_id: int, days: int, kind: str, ledger: Ledger, dice: Dice) -> None:
    signed_on = deposit.paid_on + timedelta(days=days)
    ledger.contracts.append(Contract(deposit, dept_id, signed_on, contract_amount(dice), kind))


def contract_amount(dice: Dice) -> int:
    return 12000 + 800 * dice.between(0, 60)
