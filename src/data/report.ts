import { isReportable } from '#commands/core/errors';

type Capture = (error: unknown) => void;

let capture: Capture | undefined;
const waiting: unknown[] = [];

/** Sends an error to the reporting service, except those that spec 8 leaves out. Errors before it is loaded wait for it. */
export function report(error: unknown): void {
  if (!isReportable(error)) return;
  if (capture) capture(error);
  else if (waiting.length < 20) waiting.push(error);
}

/**
 * Loads Sentry after first paint, and only when a DSN is configured: without one nothing is loaded and nothing is sent. Rates are those of spec 9.
 */
export async function startReporting(dsn: string | undefined, release: string): Promise<void> {
  if (!dsn) {
    waiting.length = 0;
    return;
  }
  const sentry = await import('@sentry/react');
  sentry.init({
    dsn,
    release,
    environment: 'acceptance',
    tracesSampleRate: 0.25,
    profileSessionSampleRate: 1,
    replaysSessionSampleRate: 0.25,
    replaysOnErrorSampleRate: 1,
    integrations: [
      sentry.browserTracingIntegration(),
      sentry.browserProfilingIntegration(),
      sentry.replayIntegration({ maskAllText: true, blockAllMedia: true }),
    ],
  });
  capture = (error) => sentry.captureException(error);
  for (const error of waiting.splice(0)) capture(error);
}
