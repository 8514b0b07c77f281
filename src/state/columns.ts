import { storedAtom } from './stored-atom.ts';

/** Whether columns are shown, keyed by entity and column. Contains only differences from the entity's defaults. */
type ColumnChoices = Readonly<Record<string, Readonly<Record<string, boolean>>>>;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isChoice = (value: unknown): boolean =>
  isObject(value) && Object.values(value).every((isShown) => typeof isShown === 'boolean');

/** The columns that the user has shown or hidden. Stored per browser. */
export const columnChoicesAtom = storedAtom<ColumnChoices>('quarterdeck-columns', {}, (stored) =>
  isObject(stored) && Object.values(stored).every(isChoice) ? (stored as ColumnChoices) : {},
);
