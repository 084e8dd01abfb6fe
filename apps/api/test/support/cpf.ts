/** The CPF, a person's tax id, with these first nine digits. */
export function cpf(firstDigits: number): string {
  const withCheckDigit = (digits: string): string => {
    const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (digits.length + 1 - index), 0);
    return digits + String(((sum * 10) % 11) % 10);
  };
  return withCheckDigit(withCheckDigit(String(firstDigits).padStart(9, '0')));
}
