package io.isotail.ingest.proxy;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;

/** Whether a certificate and a private key are of one pair. */
public final class KeyPair {
  private KeyPair() {}

  /** Signs something with the key of RSA or EC, and verifies it with the certificate. */
  public static boolean belong(X509Certificate certificate, PrivateKey key) {
    try {
      byte[] text = certificate.getEncoded();
      Signature signature =
          Signature.getInstance(
              key.getAlgorithm().equals("EC") ? "SHA256withECDSA" : "SHA256withRSA");
      signature.initSign(key);
      signature.update(text);
      byte[] signed = signature.sign();
      signature.initVerify(certificate.getPublicKey());
      signature.update(text);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}
