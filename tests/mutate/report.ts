import type { Module } from './modules.ts';
import { type Mutant, type MutantName, nameOf } from './mutants.ts';
import type { Result } from './results.ts';

/** A mutant that no test has to notice. */
export interface Survivor extends MutantName {
  /** Why: it is equivalent, or what would have to go wrong besides. */
  readonly reason: string;
}

/** How much of what is not excused a module's tests must notice, in percent. */
export const WANTED = 90;

interface Score {
  readonly module: string;
  readonly killed: number;
  readonly timeout: number;
  readonly accepted: number;
  readonly survived: number;
  /** Of the rest; undefined when there is none. */
  readonly noticed: number | undefined;
}

export function scoreOf(module: string, results: readonly Result[], accepted: ReadonlySet<string>): Score {
  const count = (outcome: Result['outcome']) => results.filter((result) => result.outcome === outcome).length;
  const excused = results.filter((result) => result.outcome === 'survived' && accepted.has(result.name)).length;
  const [killed, timeout, survived] = [count('killed'), count('timeout'), count('survived') - excused];
  const rest = killed + timeout + survived;
  const noticed = rest === 0 ? undefined : (100 * (killed + timeout)) / rest;
  return { module, killed, timeout, accepted: excused, survived, noticed };
}

const percent = (noticed: number | undefined) => (noticed === undefined ? '-' : `${noticed.toFixed(1)} %`);

/** @returns the table of scores, and whether every module reaches what is wanted */
export function summary(results: readonly Result[], accepted: ReadonlySet<string>): { text: string; enough: boolean } {
  const names = [...new Set(results.map(({ module }) => module))];
  const scores = names.map((name) => {
    const own = results.filter(({ module }) => module === name);
    return scoreOf(name, own, accepted);
  });
  const all = [...scores, scoreOf('all', results, accepted)];
  const head = ['module', 'killed', 'timeout', 'accepted', 'survived', 'noticed'];
  const rows = all.map((score) => {
    const { module, killed, timeout, accepted: excused, survived, noticed } = score;
    return [module, killed, timeout, excused, survived, percent(noticed)].map(String);
  });
  const short = ({ noticed }: Score) => noticed !== undefined && noticed < WANTED;
  const marks = ['', ...all.map((score) => (short(score) ? `  under ${WANTED} %` : ''))];
  const line = ([first = '', ...rest]: string[]) => first.padEnd(14) + rest.map((cell) => cell.padStart(10)).join('');
  const enough = !scores.some(short);
  return { text: [head, ...rows].map((row, index) => line(row) + marks[index]).join('\n'), enough };
}

type Shown = Omit<Result, 'module' | 'outcome' | 'basis'>;

/** One survivor as a difference, with what `survivors.json` needs to know it by. */
export function shown({ file, line, within, operator, original, mutated, name }: Shown): string {
  const where = `${file}:${line}${within === '' ? '' : ` in ${within}`}`;
  return `${where}: ${operator} (${name})\n  - ${original}\n  + ${mutated}`;
}

/** What is wrong with the list of survivors: entries without a reason, and those that no mutant answers to. */
export function wrongSurvivors(
  survivors: readonly Survivor[],
  mutants: readonly { module: Module; mutant: Mutant }[],
): string[] {
  const known = new Set(mutants.map(({ mutant }) => nameOf(mutant)));
  return survivors.flatMap((survivor) => {
    const what = `${survivor.file}${survivor.within === '' ? '' : ` in ${survivor.within}`}: ${survivor.mutated}`;
    return [
      ...(survivor.reason.trim() === '' ? [`No reason is given for the survivor ${what}`] : []),
      ...(known.has(nameOf(survivor)) ? [] : [`There is no such mutant any more: ${what}`]),
    ];
  });
}
