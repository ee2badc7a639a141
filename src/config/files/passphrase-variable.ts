/** Names a file with the passphrase of a keystore. In a file of its own, so that whoever looks only for the name loads nothing else. */
export const PASSPHRASE_VARIABLE = 'TICKWRIGHT_KEYSTORE_PASSPHRASE_FILE';
