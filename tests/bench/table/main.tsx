// The page measured by table.bench.ts: ?subject=table|pool|virtual|empty&rows=100000. All subjects respond to the same
// keys, so one script can drive them: j, ArrowDown, PageDown, and a (select all).
import '#src/styles/index.css';
import './bench.css';
import { startEmpty } from './empty.ts';
import { startPool } from './pool.ts';
import { installProbe } from './probe.ts';
import { startTable } from './table.tsx';
import { startVirtual } from './virtual.tsx';

const query = new URLSearchParams(location.search);
const rows = Number(query.get('rows') ?? 100_000);
const theme = query.get('theme');
if (theme) document.documentElement.dataset.theme = theme;

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root.');
const subjects = { table: startTable, pool: startPool, virtual: startVirtual, empty: startEmpty };
const subject = query.get('subject') ?? 'table';
if (!(subject in subjects)) throw new Error(`Unknown subject "${subject}". Available: table, pool, virtual, empty.`);

installProbe();
// Widths depend on the fonts, which load when text first needs them.
const FONTS = ['12.5px "Inter Variable"', '500 11px "Inter Variable"', '11.5px "JetBrains Mono Variable"'];
await Promise.all(FONTS.map((font) => document.fonts.load(font)));
performance.mark('start');
subjects[subject as keyof typeof subjects](root, rows);
requestAnimationFrame(() => {
  // Runs after the frame that painted the first rows.
  setTimeout(() => performance.measure('first rows', 'start'));
});
