import { isReportable } from '#commands/model/errors.ts';

import { scrub } from './scrub.ts';

type Capture = (error: unknown) => void;

let capture: Capture | undefined;
const waiting: unknown[] = [];

/** The identity provider's errors that are the network's or the person's, and no defect (spec 8). */
const UNREPORTED: readonly unknown[] = ['auth/network-request-failed', 'auth/too-many-requests'];

/**
 * Sends an error to the reporting service, except those that spec 8 leaves out. Errors before it is loaded wait for
 * it.
 */
export function report(error: unknown): void {
  if (!isReportable(error) || (error instanceof Error && 'code' in error && UNREPORTED.includes(error.code))) return;
  if (capture) capture(error);
  else if (waiting.length < 20) waiting.push(error);
}

/**
 * Loads Sentry after first paint, and only when a DSN is configured: without one nothing is loaded and nothing is sent.
 * Rates are those of spec 9. No secret goes along, neither in an error nor in what led to it.
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
    dataCollection: { userInfo: false, cookies: false, httpHeaders: false, httpBodies: [], urlQueryParams: false },
    beforeSend: scrub,
    beforeSendSpan: scrub,
    beforeBreadcrumb: scrub,
    integrations: [
      sentry.browserTracingIntegration(),
      sentry.browserProfilingIntegration(),
      sentry.replayIntegration({ maskAllText: true, blockAllMedia: true, beforeAddRecordingEvent: scrub }),
    ],
  });
  // Replays are no errors: they pass here only.
  sentry.addEventProcessor(scrub);
  capture = (error) => sentry.captureException(error);
  for (const error of waiting.splice(0)) capture(error);
}
