import { isReportable } from '#commands/model/errors.ts';

import { scrub } from './scrub.ts';

type Capture = (error: unknown) => void;

let capture: Capture | undefined;
const queue: unknown[] = [];

/** Errors of the identity provider caused by the network or the user, not by a defect (spec 8). */
const UNREPORTED: readonly unknown[] = ['auth/network-request-failed', 'auth/too-many-requests'];

/**
 * Sends an error to the reporting service, unless spec 8 excludes it. Queues errors until the service has loaded.
 */
export function report(error: unknown): void {
  if (!isReportable(error) || (error instanceof Error && 'code' in error && UNREPORTED.includes(error.code))) return;
  if (capture) capture(error);
  else if (queue.length < 20) queue.push(error);
}

/**
 * Loads Sentry after first paint, and only if a DSN is configured: without one, nothing is loaded or sent. The rates
 * are in spec 9. Removes secrets from errors and breadcrumbs.
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
  // Replays do not pass through `beforeSend`, which handles only errors.
  sentry.addEventProcessor(scrub);
  capture = (error) => sentry.captureException(error);
  for (const error of queue.splice(0)) capture(error);
}
