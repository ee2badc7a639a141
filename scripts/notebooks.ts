/** docs/notebooks/*.ipynb, made of the pages docs/notebook-*.md: each text and each cell of code is one of the notebook. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Name of the page and of the notebook → fence of its cells, and its kernel. */
export const NOTEBOOKS = {
  python: { fence: 'py', kernel: { display_name: 'Python 3', language: 'python', name: 'python3' } },
  typescript: { fence: 'ts', kernel: { display_name: 'Deno', language: 'typescript', name: 'deno' } },
} as const;
export type NotebookName = keyof typeof NOTEBOOKS;

const docs = new URL('../docs/', import.meta.url);

/** The notebook as JSON text. What a cell printed on the page is left out: a kernel shows it. */
export function notebookOf(name: NotebookName): string {
  const { fence, kernel } = NOTEBOOKS[name];
  const page = readFileSync(fileURLToPath(new URL(`notebook-${name}.md`, docs)), 'utf8');
  const cells: object[] = [];
  const add = (cell_type: 'code' | 'markdown', text: string): void => {
    const source = text.trim().split(/(?<=\n)/);
    if (text.trim() === '') return;
    const id = `cell-${cells.length + 1}`;
    cells.push(
      cell_type === 'code'
        ? { cell_type, execution_count: null, id, metadata: {}, outputs: [], source }
        : { cell_type, id, metadata: {}, source },
    );
  };
  let end = 0;
  for (const block of page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)) {
    add('markdown', page.slice(end, block.index));
    if (block[1] === fence) add('code', block[2] ?? '');
    end = block.index + block[0].length;
  }
  add('markdown', page.slice(end));
  return `${JSON.stringify({ cells, metadata: { kernelspec: kernel, language_info: { name: kernel.language } }, nbformat: 4, nbformat_minor: 5 }, null, 1)}\n`;
}

/** Its file from the root of the repository. */
export function notebookPath(name: NotebookName): string {
  return `docs/notebooks/${name}.ipynb`;
}
