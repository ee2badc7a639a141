/** Opening balances of a simulated account: half of what can be reckoned exactly, so that there is room for what is won. */
export const DEPOSIT = 'an amount of at most 8 decimals, up to 45000000';

export function isDeposit(text: string): boolean {
  return /^\d{1,8}(\.\d{1,8})?$/.test(text) && Number(text) <= 45_000_000;
}
