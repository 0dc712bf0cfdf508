package io.isotail.dashboards;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A fenced block of a document whose lines a reader is to type.
 *
 * @param document path from the root of the repository
 * @param line where it begins, from 1
 * @param commands each with the lines that belong to it: continued ones, and what is read from here
 */
record CommandBlock(String document, int line, List<String> commands) {
  private static final Pattern FENCE = Pattern.compile("( *)```(\\S*)");
  private static final Pattern PROGRAM =
      Pattern.compile(
          "(\\w+=('[^']*'|\\S+) )*(export|java|python3|git|deploy/\\S+|docker|kubectl|helm|systemctl|install|mvn|psql|curl|kafka-\\S+\\.sh|acl|acl\\(\\)|cat|apt-get)( .*)?");
  private static final Pattern HERE = Pattern.compile("<<'?(\\w+)'?");

  /** The blocks of a document that begin with a program, or with a prompt. */
  static List<CommandBlock> of(String document) throws IOException {
    List<CommandBlock> blocks = new ArrayList<>();
    List<String> lines = Files.readAllLines(Repository.ROOT.resolve(document));
    for (int i = 0; i < lines.size(); i++) {
      var fence = FENCE.matcher(lines.get(i));
      if (!fence.matches()) {
        continue;
      }
      int begin = i + 1;
      String indent = fence.group(1);
      List<String> block = new ArrayList<>();
      for (i++; !lines.get(i).equals(indent + "```"); i++) {
        String line = lines.get(i);
        block.add(line.startsWith(indent) ? line.substring(indent.length()) : line);
      }
      List<String> commands = commands(block);
      boolean shell = fence.group(2).equals("sh");
      if (shell && commands.isEmpty()) {
        throw new IOException(
            "%s:%d: a block of commands begins with '%s', which is no known program"
                .formatted(document, begin, block.get(0)));
      }
      if (!commands.isEmpty()
          && (shell || List.of("", "bash", "console").contains(fence.group(2)))) {
        blocks.add(new CommandBlock(document, begin, commands));
      }
    }
    return blocks;
  }

  /** Empty if it does not begin with a command. */
  private static List<String> commands(List<String> block) {
    boolean prompts = block.get(0).startsWith("$ ");
    List<String> commands = new ArrayList<>();
    for (int i = 0; i < block.size(); i++) {
      String line = block.get(i);
      if (prompts && !line.startsWith("$ ")) {
        continue; // what the program answers
      }
      line = prompts ? line.substring(2) : line;
      if (commands.isEmpty() && !PROGRAM.matcher(line).matches()) {
        return List.of();
      }
      StringBuilder command = new StringBuilder(line);
      var here = HERE.matcher(line);
      String end = here.find() ? here.group(1) : "";
      while (line.endsWith("\\") || (!end.isEmpty() && !line.equals(end))) {
        line = block.get(++i);
        command.append('\n').append(line);
      }
      commands.add(command.toString());
    }
    return commands;
  }

  /** Where a reader finds it. */
  String place() {
    return document + ":" + line;
  }
}
