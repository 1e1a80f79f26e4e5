import java.util.*;
import java.util.concurrent.*;
import org.apache.curator.framework.*;
import org.apache.curator.framework.recipes.locks.*;
import org.apache.curator.retry.RetryOneTime;

/** As kazoo_threads.py, with Curator's InterProcessMutex. */
public class CuratorThreads {
    static CuratorFramework client;

    static class Named extends InterProcessMutex {
        final byte[] name;
        Named(String path, String name) { super(client, path); this.name = name.getBytes(); }
        @Override protected byte[] getLockNodeBytes() { return name; }
    }

    static synchronized void say(String thread, String what, String lock) throws Exception {
        System.out.printf("{\"at\":%d,\"thread\":\"%s\",\"session\":\"0x%x\",\"do\":\"%s\",\"lock\":\"%s\"}%n", System.currentTimeMillis(), thread,
            client.getZookeeperClient().getZooKeeper().getSessionId(), what, lock);
        System.out.flush();
    }

    static Named take(String thread, String path, long patience) throws Exception {
        Named m = new Named(path, thread);
        if (!m.acquire(patience, TimeUnit.SECONDS)) {
            say(thread, "gave up", path);
            return null;
        }
        say(thread, "holds", path);
        return m;
    }

    static void free(String thread, String path, Named m) throws Exception {
        say(thread, "releases", path);
        m.release();
    }

    static void nap(Random rng, int least, int most) throws Exception { Thread.sleep(least + rng.nextInt(most - least)); }

    static void work(String thread, int i, int seed, long end, String[] paths) throws Exception {
        Random rng = new Random(seed * 100 + i);
        while (System.currentTimeMillis() < end) {
            nap(rng, 200, 3000);
            if (i == 0) {
                String a = paths[seed % 2], b = paths[1 - seed % 2];
                Named first = take(thread, a, 60);
                if (first == null) continue;
                nap(rng, 100, 2000);
                Named second = take(thread, b, 15 + 5 * (seed % 3));
                if (second != null) {
                    nap(rng, 100, 1000);
                    free(thread, b, second);
                }
                free(thread, a, first);
                continue;
            }
            String path = paths[2 + rng.nextInt(paths.length - 2)];
            Named m = take(thread, path, 30);
            if (m != null) {
                nap(rng, 100, 4000);
                free(thread, path, m);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        String name = args[1];
        int count = Integer.parseInt(args[2]), seed = Integer.parseInt(args[4]);
        long end = System.currentTimeMillis() + (long) (Double.parseDouble(args[3]) * 1000);
        String[] paths = Arrays.copyOfRange(args, 5, args.length);
        client = CuratorFrameworkFactory.builder().connectString(args[0]).sessionTimeoutMs(6000).connectionTimeoutMs(5000).retryPolicy(new RetryOneTime(100)).build();
        client.start();
        client.blockUntilConnected();
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int k = i;
            Thread t = new Thread(() -> { try { work(name + "-" + k, k, seed, end, paths); } catch (Throwable e) { System.out.println("FAILED " + e); } });
            t.start();
            all.add(t);
        }
        for (Thread t : all) t.join();
        System.out.println("DONE");
        client.close();
    }
}
