/** Dev dependencies that a folder may lack because it was installed before they were asked for. */

/** The package, or null with a warning where it is not installed; a machine that proves things must have it, so CI throws. */
export async function installed<T>(name: string): Promise<T | null> {
  try {
    return (await import(name)) as T;
  } catch (error) {
    if (process.env['CI'] !== undefined) throw error;
    console.warn(`SKIPPED: npm ${name} is not installed; run npm ci`);
    return null;
  }
}
