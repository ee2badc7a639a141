/** Dev dependencies that may be missing in a folder that was installed before they were added. */

/** Returns the package, or null with a warning if it is not installed. In CI it must be installed, so this throws there. */
export async function installed<T>(name: string): Promise<T | null> {
  try {
    return (await import(name)) as T;
  } catch (error) {
    if (process.env['CI'] !== undefined) throw error;
    console.warn(`SKIPPED: npm ${name} is not installed; run npm ci`);
    return null;
  }
}
