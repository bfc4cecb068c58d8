package io.gcdiag.cli.render;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;

/** A document in JSON, indented by two blanks, with line feeds on every system. */
public final class JsonRenderer {

  private static final ObjectWriter WRITER = new ObjectMapper().writer(printer());

  private JsonRenderer() {}

  /** The document with a line end behind it. */
  public static String render(JsonNode document) {
    try {
      return WRITER.writeValueAsString(document) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree of nodes can always be written", e);
    }
  }

  private static DefaultPrettyPrinter printer() {
    DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
    return new DefaultPrettyPrinter(
            Separators.createDefaultInstance()
                .withObjectFieldValueSpacing(Separators.Spacing.AFTER))
        .withObjectIndenter(indenter)
        .withArrayIndenter(indenter);
  }
}
