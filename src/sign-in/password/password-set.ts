import { runOwn } from '#src/sign-in/run-own.ts';
import { report } from '#src/net/report.ts';

let untold = false;

/**
 * A new password was set; the server is to hear of it once somebody is signed in, which may take a second factor
 * first.
 */
export function passwordIsSet(): void {
  untold = true;
}

/**
 * Tells the server that the password it recommended to change is changed. The password is set either way: where this
 * fails, the server only recommends it again.
 */
export async function tellPasswordSet(): Promise<void> {
  if (!untold) return;
  untold = false;
  await runOwn('me.password-changed').catch(report);
}
