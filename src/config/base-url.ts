/** Where signed requests may go. The host of this address is the only one that ever sees a signature. */

/** What is wrong with `text` as the venue's base URL, or null. https anywhere, http on loopback only, nothing hidden in it. */
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

/** Whether a host name is this machine's own. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname);
}

/** An address as it may be shown: user name and password in it are hidden. */
export function maskAddress(text: string): string {
  return text.replace(/(\/\/)[^/@]*@/, '$1[secret]@');
}
