import { FirebaseError } from 'firebase/app';
import { browserPopupRedirectResolver, GoogleAuthProvider, signInWithCredential, signInWithPopup } from 'firebase/auth';

import { serverInfo } from '#src/net/server-info.ts';
import { signInBy } from './identity.ts';

/** Signs in with a Google account, in a window of its own. @throws FirebaseError, SecondFactorRequired */
export async function signInWithGoogle(): Promise<void> {
  const { identity } = await serverInfo();
  // The SDK would load a script of Google's to hear from the window; the embedded provider's is of our own origin.
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
/** A page is not told when a window that it opened closes. */
const LOOK_EVERY_MS = 200;

/** Opens the embedded provider's choice of Google accounts. Resolves to the ID token of the one that was chosen. */
function chooseDemoAccount(): Promise<string> {
  const left = window.screenX + Math.max(0, (window.outerWidth - WIDTH) / 2);
  const top = window.screenY + Math.max(0, (window.outerHeight - HEIGHT) / 2);
  const chooser = window.open(
    CHOOSER,
    'google-account',
    `popup,width=${WIDTH},height=${HEIGHT},left=${left},top=${top}`,
  );
  if (!chooser) throw new FirebaseError('auth/popup-blocked', 'The browser did not open the window of the sign-in.');
  return new Promise((resolve, reject) => {
    const stop = () => {
      window.removeEventListener('message', heard);
      window.clearInterval(look);
    };
    const heard = ({ origin, source, data }: MessageEvent<unknown>) => {
      if (origin !== window.location.origin || source !== chooser || !isChosen(data)) return;
      stop();
      resolve(data.idToken);
    };
    let wasClosed = false;
    const look = window.setInterval(() => {
      if (!chooser.closed) return;
      // It posts its answer and closes: that it has closed may be seen before the answer is heard.
      if (!wasClosed) {
        wasClosed = true;
        return;
      }
      stop();
      reject(
        new FirebaseError('auth/popup-closed-by-user', 'The window of the sign-in was closed before it was done.'),
      );
    }, LOOK_EVERY_MS);
    window.addEventListener('message', heard);
  });
}

function isChosen(data: unknown): data is { idToken: string } {
  if (typeof data !== 'object' || data === null) return false;
  return (
    'type' in data &&
    data.type === 'quarterdeck:google-account' &&
    'idToken' in data &&
    typeof data.idToken === 'string'
  );
}
