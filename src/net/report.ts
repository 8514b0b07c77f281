import { isReportable } from '#commands/model/errors.ts';

import { scrub } from './scrub.ts';

type Capture = (error: unknown) => void;

let capture: Capture | undefined;
const queue: unknown[] = [];

/** Identity provider errors that are caused by the network or the user (spec 8). */
const EXPECTED_CODES: readonly unknown[] = ['auth/network-request-failed', 'auth/too-many-requests'];

/**
 * Sends an error to the reporting service, unless spec 8 excludes it. Queues errors until the service has loaded.
 */
export function report(error: unknown): void {
  if (!isReportable(error) || (error instanceof Error && 'code' in error && EXPECTED_CODES.includes(error.code)))
    return;
  if (capture) capture(error);
  else if (queue.length < 20) queue.push(error);
}

/**
 * Loads Sentry if a DSN is configured, and otherwise discards the queued errors. Removes secrets from errors and
 * breadcrumbs. The sample rates are from spec 9.
 */
export async function startReporting(dsn: string | undefined, release: string): Promise<void> {
  if (!dsn) {
    queue.length = 0;
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
  // `beforeSend` handles only errors, so replays need their own processor.
  sentry.addEventProcessor(scrub);
  capture = (error) => sentry.captureException(error);
  for (const error of queue.splice(0)) capture(error);
}
