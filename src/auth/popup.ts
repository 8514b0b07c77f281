import { FirebaseError } from 'firebase/app';
import { browserPopupRedirectResolver, GoogleAuthProvider, signInWithCredential, signInWithPopup } from 'firebase/auth';

import { loadServerInfo } from '#src/net/server-info.ts';

import { signInBy } from './identity.ts';

/**
 * Signs in with a Google account, in a popup.
 *
 * @throws FirebaseError, SecondFactorRequiredError
 */
export async function signInWithGoogle(): Promise<void> {
  const { identity } = await loadServerInfo();
  // The SDK would load a Google script to communicate with the popup. The embedded provider's popup doesn't need it,
  // because it has our own origin.
  if (identity.emulator) {
    const idToken = await chooseDemoAccount();
    await signInBy('google', (auth) => signInWithCredential(auth, GoogleAuthProvider.credential(idToken)));
  } else {
    await signInBy('google', (auth) => signInWithPopup(auth, new GoogleAuthProvider(), browserPopupRedirectResolver));
  }
}

const CHOOSER = '/emulator/auth/handler';
const WIDTH = 440;
const HEIGHT = 620;
/** How often to check whether the popup has closed. The browser does not notify the page when it does. */
const POLL_MS = 200;

/** Opens the embedded provider's Google account chooser. Resolves to the ID token of the chosen account. */
function chooseDemoAccount(): Promise<string> {
  const left = window.screenX + Math.max(0, (window.outerWidth - WIDTH) / 2);
  const top = window.screenY + Math.max(0, (window.outerHeight - HEIGHT) / 2);
  const chooser = window.open(
    CHOOSER,
    'google-account',
    `popup,width=${WIDTH},height=${HEIGHT},left=${left},top=${top}`,
  );
  if (!chooser) throw new FirebaseError('auth/popup-blocked', 'The browser blocked the sign-in window.');
  return new Promise((resolve, reject) => {
    const stop = () => {
      window.removeEventListener('message', onMessage);
      window.clearInterval(pollTimer);
    };
    const onMessage = ({ origin, source, data }: MessageEvent<unknown>) => {
      if (origin !== window.location.origin || source !== chooser || !isAccountMessage(data)) return;
      stop();
      resolve(data.idToken);
    };
    let wasClosed = false;
    const pollTimer = window.setInterval(() => {
      if (!chooser.closed) return;
      // The popup posts its message and closes. The page can find it closed before the
      // message arrives, so it waits for one more check.
      if (!wasClosed) {
        wasClosed = true;
        return;
      }
      stop();
      reject(new FirebaseError('auth/popup-closed-by-user', 'The sign-in window was closed before sign-in completed.'));
    }, POLL_MS);
    window.addEventListener('message', onMessage);
  });
}

function isAccountMessage(data: unknown): data is { idToken: string } {
  if (typeof data !== 'object' || data === null) return false;
  return (
    'type' in data &&
    data.type === 'quarterdeck:google-account' &&
    'idToken' in data &&
    typeof data.idToken === 'string'
  );
}
