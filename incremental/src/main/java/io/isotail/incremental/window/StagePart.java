package io.isotail.incremental.window;

/** What one stage keeps of a transaction; that stage alone knows what it is. */
public interface StagePart {}
