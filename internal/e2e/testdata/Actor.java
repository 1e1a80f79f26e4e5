import java.io.BufferedReader;
import java.io.InputStreamReader;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.RetryOneTime;

/** One Curator client that takes mutexes as it is told; it speaks as the kazoo client beside it does. */
public class Actor {
    public static void main(String[] args) throws Exception {
        CuratorFramework client = CuratorFrameworkFactory.newClient(args[0], Integer.parseInt(args[2]), 5000, new RetryOneTime(100));
        client.start();
        client.blockUntilConnected();
        System.out.printf("SESSION 0x%x%n", client.getZookeeperClient().getZooKeeper().getSessionId());
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ");
            String path = words[1];
            InterProcessMutex mutex = new InterProcessMutex(client, path);
            if (words[0].equals("hold")) {
                mutex.acquire();
                System.out.println("HELD " + path);
                continue;
            }
            int before = client.getChildren().forPath(path).size();
            Thread waiter = new Thread(() -> {
                try {
                    mutex.acquire();
                    System.out.println("GOT " + path);
                } catch (Exception e) {
                    System.out.println("FAILED " + e);
                }
            });
            waiter.setDaemon(true);
            waiter.start();
            while (client.getChildren().forPath(path).size() == before) {
                Thread.sleep(10);
            }
            System.out.println("WANTS " + path);
        }
    }
}
