import { browserPopupRedirectResolver, GoogleAuthProvider, signInWithPopup } from 'firebase/auth';

import { signInBy } from './identity.ts';

/** Signs in with a Google account, in a window of Google's. @throws FirebaseError, SecondFactorRequired */
export function signInWithGoogle(): Promise<void> {
  return signInBy('google', (auth) => signInWithPopup(auth, new GoogleAuthProvider(), browserPopupRedirectResolver));
}
