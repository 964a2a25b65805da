import io.temporal.testserver.TestServer;

/**
 * Runs a Temporal server that skips time: whenever its runs wait for a timer alone, its clock goes on to that timer.
 * It prints "ready" once it accepts connections. It ends when its standard input closes, so that it never outlives
 * the process that started it.
 */
public class Launcher {
    public static void main(String[] args) {
        try {
            TestServer.createPortBoundServer(Integer.parseInt(args[0]), false);
            System.out.println("ready");
            while (System.in.read() != -1) {
                // Nothing is said.
            }
            Runtime.getRuntime().halt(0);
        } catch (Throwable failure) {
            failure.printStackTrace();
            // The server's own threads would keep the process.
            Runtime.getRuntime().halt(1);
        }
    }
}
