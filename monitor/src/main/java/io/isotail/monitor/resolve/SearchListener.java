package io.isotail.monitor.resolve;

/** Is told what a search finds, as it finds it. */
public interface SearchListener {
  /** A key was found. */
  void found(ResolvedKey key);

  /** Something that people should know. */
  void note(String text);

  /** A row was read. */
  void rowRead(SearchTable table);
}
