/** Checks the address of the venue. Signed requests go to its host and to no other. */

/** What is expected of `text` as the venue's base URL; null if it is fine. https, or http on loopback; no user name, no query. */
export function checkBaseUrl(text: string): string | null {
  const url = URL.parse(text);
  if (url === null) return 'a URL such as "https://api.example.com"';
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'a URL that begins with https://';
  if (url.username !== '' || url.password !== '') return 'a URL without user name or password in it';
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(text)) return 'a URL without "?" or "#"';
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) return 'https (http is for loopback addresses only)';
  return null;
}

/** "https://host/mount/" → "https://host/mount". */
export function normaliseBaseUrl(text: string): string {
  const url = new URL(text);
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** True if the host name is a loopback address. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname);
}

/** True if the venue is another machine: trading there costs money. */
export function isRemote({ venue }: { readonly venue: { readonly baseUrl: string } }): boolean {
  return venue.baseUrl !== '' && !isLoopback(new URL(venue.baseUrl).hostname);
}

/** The address with user name and password hidden, for output. */
export function maskAddress(text: string): string {
  return text.replace(/(\/\/)\S*@/, '$1[secret]@').replace(/(password=)[^&\s]*/i, '$1[secret]');
}
