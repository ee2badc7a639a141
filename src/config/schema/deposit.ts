/** Limit of an opening balance: half of the largest exact amount, so that profit still fits. */
export const DEPOSIT = 'an amount of at most 8 decimals, up to 45000000';

export function isDeposit(text: string): boolean {
  return /^\d{1,8}(\.\d{1,8})?$/.test(text) && Number(text) <= 45_000_000;
}
