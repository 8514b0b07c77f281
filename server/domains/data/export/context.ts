import type { App } from '#server/app/app.ts';

/** What writing an export needs. The seed of the demo has no more. */
export type ExportContext = Pick<App, 'now' | 'secrets'> & {
  readonly config: Pick<App['config'], 'exportPace' | 'neutralizesFormulas' | 'origin'>;
};
