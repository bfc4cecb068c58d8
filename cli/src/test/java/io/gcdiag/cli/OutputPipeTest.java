package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.cli.Main.OutputPipe;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.junit.jupiter.api.Test;

class OutputPipeTest {

  private static OutputStream failing(String message) {
    return new OutputStream() {
      @Override
      public void write(int one) throws IOException {
        throw new IOException(message);
      }
    };
  }

  @Test
  void aReaderThatWentAwayIsToldFromADiskThatIsFull() {
    OutputPipe pipe = new OutputPipe(failing("Broken pipe"));
    assertThrows(IOException.class, () -> pipe.write(new byte[] {1}, 0, 1));
    assertTrue(pipe.closedByReader());
    OutputPipe disk = new OutputPipe(failing("No space left on device"));
    assertThrows(IOException.class, () -> disk.write(new byte[] {1}, 0, 1));
    assertFalse(disk.closedByReader());
  }

  @Test
  void whatIsWrittenArrives() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    OutputPipe pipe = new OutputPipe(bytes);
    pipe.write(new byte[] {1, 2, 3}, 1, 2);
    pipe.flush();
    assertEquals(2, bytes.size());
    assertFalse(pipe.closedByReader());
  }
}
