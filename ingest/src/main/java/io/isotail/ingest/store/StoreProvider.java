package io.isotail.ingest.store;

import java.util.Properties;

/**
 * Opens stores of one kind. A service: it is found by {@link java.util.ServiceLoader}, through a
 * file {@code META-INF/services/io.isotail.ingest.store.StoreProvider} that names the class, which
 * has a public constructor without parameters.
 */
public interface StoreProvider {
  /** How URLs of its stores begin: {@code redis} of {@code redis://127.0.0.1:6379}. */
  String scheme();

  /**
   * Connects to a store, and makes sure that it answers. Called once in a run.
   *
   * @param url as the user gave it; what follows the scheme is the provider's to define
   * @param login {@code user} and {@code password}, each where it was given
   * @param space name that all registers of the run are to be kept under, as a prefix or a folder;
   *     letters, digits and underscores, and nobody else has it
   * @throws Exception if it does not answer or the URL makes no sense; the message is shown
   */
  RegisterStore connect(String url, Properties login, String space) throws Exception;
}
