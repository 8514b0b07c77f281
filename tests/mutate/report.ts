import type { Module } from './modules.ts';
import { type Mutant, type MutantName, formatName } from './mutants.ts';
import type { Result } from './results.ts';

/** A mutant that no test needs to kill. */
export interface Survivor extends MutantName {
  /** The reason why it needs no test: it is equivalent, or something else guards against the bug. */
  readonly reason: string;
}

/** The percentage of a module's mutants, except accepted survivors, that its tests must kill. */
export const REQUIRED_PERCENT = 90;

interface Score {
  readonly module: string;
  readonly killed: number;
  readonly timeout: number;
  readonly accepted: number;
  readonly survived: number;
  /** The percentage of killed mutants, not counting accepted survivors; undefined if all are accepted. */
  readonly detected: number | undefined;
}

export function computeScore(
  module: string,
  results: readonly Result[],
  acceptedSurvivors: ReadonlySet<string>,
): Score {
  const count = (outcome: Result['outcome']) => results.filter((result) => result.outcome === outcome).length;
  const acceptedCount = results.filter(
    (result) => result.outcome === 'survived' && acceptedSurvivors.has(result.name),
  ).length;
  const [killed, timeout, survived] = [count('killed'), count('timeout'), count('survived') - acceptedCount];
  const decidedCount = killed + timeout + survived;
  const detected = decidedCount === 0 ? undefined : (100 * (killed + timeout)) / decidedCount;
  return { module, killed, timeout, accepted: acceptedCount, survived, detected };
}

const percent = (detected: number | undefined) => (detected === undefined ? '-' : `${detected.toFixed(1)}%`);

/** Returns the table of scores, and whether every module reaches the required score. */
export function summarize(
  results: readonly Result[],
  acceptedSurvivors: ReadonlySet<string>,
): { text: string; passed: boolean } {
  const names = [...new Set(results.map(({ module }) => module))];
  const scores = names.map((name) => {
    const moduleResults = results.filter(({ module }) => module === name);
    return computeScore(name, moduleResults, acceptedSurvivors);
  });
  const allScores = [...scores, computeScore('all', results, acceptedSurvivors)];
  const head = ['module', 'killed', 'timeout', 'accepted', 'survived', 'detected'];
  const rows = allScores.map((score) => {
    const { module, killed, timeout, accepted: acceptedCount, survived, detected } = score;
    return [module, killed, timeout, acceptedCount, survived, percent(detected)].map(String);
  });
  const isBelowTarget = ({ detected }: Score) => detected !== undefined && detected < REQUIRED_PERCENT;
  const marks = ['', ...allScores.map((score) => (isBelowTarget(score) ? `  under ${REQUIRED_PERCENT}%` : ''))];
  const line = ([first = '', ...cells]: string[]) => first.padEnd(14) + cells.map((cell) => cell.padStart(10)).join('');
  const passed = !scores.some(isBelowTarget);
  return { text: [head, ...rows].map((row, index) => line(row) + marks[index]).join('\n'), passed };
}

type SurvivorDetails = Omit<Result, 'module' | 'outcome' | 'basis'>;

/** Returns a survivor as a diff, with the name to enter in `survivors.json`. */
export function formatSurvivor({ file, line, within, operator, original, mutated, name }: SurvivorDetails): string {
  const location = `${file}:${line}${within === '' ? '' : ` in ${within}`}`;
  return `${location}: ${operator} (${name})\n  - ${original}\n  + ${mutated}`;
}

/** Returns the problems in the list of survivors: entries without a reason, and entries that match no mutant. */
export function findSurvivorProblems(
  survivors: readonly Survivor[],
  mutants: readonly { module: Module; mutant: Mutant }[],
): string[] {
  const mutantNames = new Set(mutants.map(({ mutant }) => formatName(mutant)));
  return survivors.flatMap((survivor) => {
    const description = `${survivor.file}${survivor.within === '' ? '' : ` in ${survivor.within}`}: ${survivor.mutated}`;
    return [
      ...(survivor.reason.trim() === '' ? [`The survivor has no reason: ${description}`] : []),
      ...(mutantNames.has(formatName(survivor)) ? [] : [`The survivor matches no mutant: ${description}`]),
    ];
  });
}
