// The page measured by table.bench.ts: ?subject=table|pool|empty&rows=100000. Every subject takes the same keys, so
// that the same script drives them: j, PageDown and a (select all).
import '#src/styles/index.css';
import './bench.css';
import { startEmpty } from './empty.ts';
import { startPool } from './pool.ts';
import { installProbe } from './probe.ts';
import { startTable } from './table.tsx';

const query = new URLSearchParams(location.search);
const rows = Number(query.get('rows') ?? 100_000);
const theme = query.get('theme');
if (theme) document.documentElement.dataset.theme = theme;

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root.');
const subjects = { table: startTable, pool: startPool, empty: startEmpty };
const subject = query.get('subject') ?? 'table';
if (!(subject in subjects)) throw new Error(`No subject "${subject}": table, pool or empty.`);

installProbe();
await document.fonts.ready;
performance.mark('start');
subjects[subject as keyof typeof subjects](root, rows);
requestAnimationFrame(() => {
  // After the frame that painted the first rows.
  setTimeout(() => performance.measure('first rows', 'start'));
});
